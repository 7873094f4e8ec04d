// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Registers, memory layouts and codes: generated from spec/outwork.rdl by spec/generate.py; do not edit.

// A package holds more constants than any one design reads, and `interrupt` is a word of some C++ compilers.
// verilator lint_off UNUSEDPARAM
// verilator lint_off SYMRSVDWORD
package ow_spec_pkg;

  localparam int unsigned PageBytes = 4096;

  typedef enum logic [3:0] {
    EngineShell = 4'h0,
    EngineAes = 4'h1,
    EngineHash = 4'h2,
    EngineCombined = 4'h6,
    EngineRadio = 4'h3,
    EngineDes = 4'h4,
    EnginePka = 4'h5,
    EngineAscon = 4'h7,
    EngineLattice = 4'h8
  } ow_engine_e;

  typedef enum logic [7:0] {
    OpNop = 8'h00,
    OpAesEcb = 8'h10,
    OpAesCbc = 8'h11,
    OpAesCtr = 8'h12,
    OpAesGcm = 8'h13,
    OpAesGmac = 8'h14,
    OpAesXts = 8'h15,
    OpAesCcm = 8'h16,
    OpAesCmac = 8'h17,
    OpEea2 = 8'h1a,
    OpEia2 = 8'h1f,
    OpSha1 = 8'h20,
    OpSha224 = 8'h21,
    OpSha256 = 8'h22,
    OpSha384 = 8'h23,
    OpSha512 = 8'h24,
    OpSha512224 = 8'h25,
    OpSha512256 = 8'h26,
    OpSha3224 = 8'h28,
    OpSha3256 = 8'h29,
    OpSha3384 = 8'h2a,
    OpSha3512 = 8'h2b,
    OpShake128 = 8'h2c,
    OpShake256 = 8'h2d,
    OpHmacSha1 = 8'h30,
    OpHmacSha224 = 8'h31,
    OpHmacSha256 = 8'h32,
    OpHmacSha384 = 8'h33,
    OpHmacSha512 = 8'h34,
    OpHmacSha512224 = 8'h35,
    OpHmacSha512256 = 8'h36,
    OpHmacSha3224 = 8'h38,
    OpHmacSha3256 = 8'h39,
    OpHmacSha3384 = 8'h3a,
    OpHmacSha3512 = 8'h3b,
    OpKmac128 = 8'h3c,
    OpKmac256 = 8'h3d,
    OpEea1 = 8'h41,
    OpZuc256 = 8'h42,
    OpEea3 = 8'h43,
    OpEia1 = 8'h44,
    OpEea1Eia1 = 8'h45,
    OpEea3Eia1 = 8'h47,
    OpZuc256Mac = 8'h48,
    OpZuc256Both = 8'h4a,
    OpEia3 = 8'h4c,
    OpEea1Eia3 = 8'h4d,
    OpEea3Eia3 = 8'h4f,
    OpDesEcb = 8'h50,
    OpDesCbc = 8'h51,
    OpTdesEcb = 8'h52,
    OpTdesCbc = 8'h53,
    OpModexp = 8'h60,
    OpRsaPublic = 8'h61,
    OpRsaPrivate = 8'h62,
    OpRsaLoad = 8'h63,
    OpEcMultiply = 8'h64,
    OpEcPublic = 8'h65,
    OpEcCheck = 8'h66,
    OpEcSign = 8'h67,
    OpEcVerify = 8'h68,
    OpX25519 = 8'h69,
    OpEd25519Public = 8'h6a,
    OpEd25519Sign = 8'h6b,
    OpEd25519Verify = 8'h6c,
    OpAesCbcHmacSha1 = 8'h70,
    OpAesCbcHmacSha256 = 8'h71,
    OpAesCbcHmacSha384 = 8'h72,
    OpAesCbcHmacSha512 = 8'h73,
    OpAesCtrHmacSha1 = 8'h74,
    OpAesCtrHmacSha256 = 8'h75,
    OpAesCtrHmacSha384 = 8'h76,
    OpAesCtrHmacSha512 = 8'h77,
    OpAsconAead128 = 8'h80,
    OpAsconHash256 = 8'h81,
    OpAsconXof128 = 8'h82,
    OpAsconCxof128 = 8'h83,
    OpMlkemKeygen = 8'ha0,
    OpMlkemEncapsulate = 8'ha1,
    OpMlkemDecapsulate = 8'ha2,
    OpMldsaKeygen = 8'ha3,
    OpMldsaSign = 8'ha4,
    OpMldsaVerify = 8'ha5
  } ow_opcode_e;

  typedef enum logic [7:0] {
    StOk = 8'h00,
    StAuthFailed = 8'h01,
    StBadOpcode = 8'h02,
    StBadFlags = 8'h03,
    StBadLength = 8'h04,
    StBadTagLength = 8'h05,
    StBadIv = 8'h06,
    StBadKey = 8'h07,
    StKeyDenied = 8'h08,
    StBadSegment = 8'h09,
    StWindowViolation = 8'h0a,
    StReadError = 8'h0b,
    StWriteError = 8'h0c,
    StTimeout = 8'h0d,
    StAborted = 8'h0e,
    StBadOperand = 8'h0f,
    StFault = 8'h10,
    StWipeFailed = 8'h11,
    StKeyGone = 8'h12,
    StBadState = 8'h13,
    StNotSeeded = 8'h14
  } ow_status_e;

  typedef enum logic [7:0] {
    HaltNone = 8'h00,
    HaltBadRing = 8'h01,
    HaltRingOverrun = 8'h02,
    HaltRingWindow = 8'h03,
    HaltRingRead = 8'h04,
    HaltRingWrite = 8'h05,
    HaltBadDoorbell = 8'h06
  } ow_halt_e;

  typedef enum logic [1:0] {
    KeyBits128 = 2'h0,
    KeyBits192 = 2'h1,
    KeyBits256 = 2'h2
  } ow_key_length_e;

  typedef enum logic [1:0] {
    CurveP256 = 2'h0,
    CurveP384 = 2'h1,
    CurveP521 = 2'h2,
    CurveSecp256k1 = 2'h3
  } ow_curve_e;

  // Job descriptor: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned DescriptorBytes = 64;

  typedef struct packed {
    logic generation;
    logic interrupt;
    logic fence;
    logic append_tag;
    logic long_iv;
    logic destination_list;
    logic source_list;
    logic save_state;
    logic load_state;
    logic inline_key;
    logic decrypt;
    logic [4:0] tag_length;
    logic [7:0] key;
    logic [7:0] opcode;
  } ow_descriptor_control_t;

  typedef struct packed {
    logic [127:0] iv;
    logic [31:0] aad_length;
    logic [31:0] length;
    logic [63:0] context_;
    logic [63:0] aad;
    logic [63:0] destination;
    logic [63:0] source;
    logic [31:0] cookie;
    ow_descriptor_control_t control;
  } ow_descriptor_t;

  // Context field of a job with GENERATION: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned SlotContextBytes = 8;

  typedef struct packed {
    logic [15:0] generation;
    logic [47:0] address;
  } ow_slot_context_value_t;

  typedef struct packed {
    ow_slot_context_value_t value;
  } ow_slot_context_t;

  // IV field of a radio job: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned RadioIvBytes = 16;

  typedef struct packed {
    logic [25:0] unused6;
    logic direction;
    logic [4:0] bearer;
  } ow_radio_iv_way_t;

  typedef struct packed {
    logic [14:0] unused17;
    logic mac_of_ciphertext;
    logic [3:0] unused12;
    logic [3:0] clear_bytes;
    logic [4:0] unused3;
    logic [2:0] last_bits;
  } ow_radio_iv_control_t;

  typedef struct packed {
    ow_radio_iv_control_t control;
    ow_radio_iv_way_t way;
    logic [31:0] fresh;
    logic [31:0] count;
  } ow_radio_iv_t;

  // IV field of a public-key job: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned PkaParametersBytes = 16;

  typedef struct packed {
    logic [15:0] e_bits;
    logic [15:0] n_bits;
  } ow_pka_parameters_first_t;

  typedef struct packed {
    logic [15:0] q_bits;
    logic [15:0] p_bits;
  } ow_pka_parameters_primes_t;

  typedef struct packed {
    logic [63:0] zero;
    ow_pka_parameters_primes_t primes;
    ow_pka_parameters_first_t first;
  } ow_pka_parameters_t;

  // IV field of a lattice job: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned LatticeParametersBytes = 16;

  typedef struct packed {
    logic [15:0] generation;
    logic [7:0] slot;
    logic [3:0] unused4;
    logic [3:0] k;
  } ow_lattice_parameters_first_t;

  typedef struct packed {
    logic [63:0] zero_high;
    logic [31:0] zero;
    ow_lattice_parameters_first_t first;
  } ow_lattice_parameters_t;

  // Completion record: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned CompletionBytes = 32;

  typedef struct packed {
    logic phase;
    logic [22:0] unused8;
    logic [7:0] status;
  } ow_completion_result_t;

  typedef struct packed {
    ow_completion_result_t result;
    logic [31:0] cycles;
    logic [31:0] bytes;
    logic [31:0] cookie;
    logic [127:0] tag;
  } ow_completion_t;

  // Segment: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned SegmentBytes = 16;

  typedef struct packed {
    logic [30:0] unused1;
    logic last;
  } ow_segment_control_t;

  typedef struct packed {
    ow_segment_control_t control;
    logic [31:0] length;
    logic [63:0] address;
  } ow_segment_t;

  // Context: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned ContextBytes = 128;

  typedef struct packed {
    logic [127:0] spare;
    logic [127:0] state2;
    logic [127:0] state1;
    logic [127:0] state0;
    logic [127:0] tweak_key1;
    logic [127:0] tweak_key0;
    logic [127:0] key1;
    logic [127:0] key0;
  } ow_context_t;

  // Context of hash functions: bit 0 of the struct is bit 0 of the byte at the lowest address.
  localparam int unsigned HashContextBytes = 352;

  typedef struct packed {
    logic [1151:0] block;
    logic [511:0] chain;
    logic [63:0] partial;
    logic [63:0] bytes;
    logic [1023:0] key;
  } ow_hash_context_t;

  // The page of the device's owner.
  localparam int unsigned GlobalPageOffset = 'h0;
  localparam logic [11:0] GlobalIdOffset = 12'h000;
  localparam logic [31:0] GlobalIdReset = 32'h4f57524b;
  localparam logic [11:0] GlobalVersionOffset = 12'h004;
  localparam logic [31:0] GlobalVersionReset = 32'h00000200;
  localparam logic [11:0] GlobalShellOffset = 12'h008;
  localparam logic [11:0] GlobalLimitsOffset = 12'h00c;
  localparam logic [11:0] GlobalEnginesOffset = 12'h010;
  localparam logic [11:0] GlobalAesOffset = 12'h014;
  localparam logic [11:0] GlobalHashOffset = 12'h018;
  localparam logic [11:0] GlobalHashUnitsOffset = 12'h01c;
  localparam logic [11:0] GlobalCycleLowOffset = 12'h020;
  localparam logic [11:0] GlobalCycleHighOffset = 12'h024;
  localparam logic [11:0] GlobalStatusOffset = 12'h028;
  localparam logic [11:0] GlobalIrqOffset = 12'h02c;
  localparam logic [11:0] GlobalRadioOffset = 12'h030;
  localparam logic [11:0] GlobalDesOffset = 12'h034;
  localparam logic [11:0] GlobalCombinedOffset = 12'h038;
  localparam logic [11:0] GlobalPkaOffset = 12'h03c;
  localparam logic [11:0] GlobalKeySlotOffset = 12'h040;
  localparam logic [31:0] GlobalKeySlotReset = 32'h00000000;
  localparam logic [11:0] GlobalKeyConfigOffset = 12'h044;
  localparam logic [31:0] GlobalKeyConfigReset = 32'h00000000;
  localparam logic [11:0] GlobalKeyCommandOffset = 12'h048;
  localparam logic [11:0] GlobalKeyStatusOffset = 12'h04c;
  localparam logic [11:0] GlobalKeyGenerationOffset = 12'h050;
  localparam logic [11:0] GlobalAsconOffset = 12'h054;
  localparam logic [11:0] GlobalLatticeOffset = 12'h05c;
  localparam logic [11:0] GlobalKeyDataOffset = 12'h080;
  localparam int unsigned GlobalKeyDataCount = 24;
  localparam logic [11:0] GlobalSeedOffset = 12'h0e0;
  localparam int unsigned GlobalSeedCount = 8;

  typedef struct packed {
    logic [15:0] major;
    logic [7:0] minor;
    logic [7:0] patch;
  } ow_global_version_t;

  typedef struct packed {
    logic [7:0] bus_bytes;
    logic [7:0] key_slots;
    logic [7:0] streams;
    logic [7:0] queues;
  } ow_global_shell_t;

  typedef struct packed {
    logic [12:0] unused19;
    logic made_keys;
    logic no_step_cycles;
    logic no_seal;
    logic [7:0] windows;
    logic [7:0] ring_log2_max;
  } ow_global_limits_t;

  typedef struct packed {
    logic [3:0] version;
    logic [2:0] unused25;
    logic decrypt;
    logic [7:0] stages;
    logic [15:0] modes;
  } ow_global_aes_t;

  typedef struct packed {
    logic [3:0] version;
    logic [11:0] unused16;
    logic [15:0] algorithms;
  } ow_global_hash_t;

  typedef struct packed {
    logic [7:0] unused24;
    logic [3:0] keccak_rounds;
    logic [3:0] sha_rounds;
    logic [3:0] unused12;
    logic [3:0] keccak;
    logic [3:0] sha512;
    logic [3:0] sha256;
  } ow_global_hash_units_t;

  typedef struct packed {
    logic [27:0] unused4;
    logic seeded;
    logic tamper;
    logic zeroising;
    logic busy;
  } ow_global_status_t;

  typedef struct packed {
    logic [3:0] version;
    logic [3:0] unused24;
    logic [7:0] lanes;
    logic [15:0] algorithms;
  } ow_global_radio_t;

  typedef struct packed {
    logic [3:0] version;
    logic [10:0] unused17;
    logic legacy;
    logic [15:0] modes;
  } ow_global_des_t;

  typedef struct packed {
    logic [3:0] version;
    logic [2:0] unused25;
    logic cbc_decrypt;
    logic [7:0] unused16;
    logic [15:0] algorithms;
  } ow_global_combined_t;

  typedef struct packed {
    logic [3:0] version;
    logic [3:0] rsa_keys;
    logic [3:0] rows;
    logic [3:0] curves;
    logic [15:0] operations;
  } ow_global_pka_t;

  typedef struct packed {
    logic [23:0] unused8;
    logic [7:0] index;
  } ow_global_key_slot_t;

  typedef struct packed {
    logic [7:0] kind;
    logic [6:0] bytes;
    logic lock;
    logic [7:0] queues;
    logic [1:0] unused6;
    logic mac;
    logic decrypt;
    logic encrypt;
    logic two_keys;
    logic [1:0] length;
  } ow_global_key_config_t;

  typedef struct packed {
    logic [27:0] unused4;
    logic reserve;
    logic zeroise_all;
    logic zeroise;
    logic load;
  } ow_global_key_command_t;

  typedef struct packed {
    logic [7:0] kind;
    logic [7:0] queues;
    logic [4:0] unused11;
    logic reserved;
    logic mac;
    logic decrypt;
    logic encrypt;
    logic two_keys;
    logic [1:0] length;
    logic refused;
    logic busy;
    logic locked;
    logic valid;
  } ow_global_key_status_t;

  typedef struct packed {
    logic [15:0] unused16;
    logic [15:0] value;
  } ow_global_key_generation_t;

  typedef struct packed {
    logic [3:0] version;
    logic [3:0] unused24;
    logic [3:0] rounds;
    logic [3:0] messages;
    logic [15:0] algorithms;
  } ow_global_ascon_t;

  typedef struct packed {
    logic [3:0] version;
    logic [7:0] unused20;
    logic [3:0] butterflies;
    logic [15:0] operations;
  } ow_global_lattice_t;

  // The page of a queue; it can be mapped to a process on its own.
  localparam int unsigned QueuePageOffset = 'h1000;
  localparam int unsigned QueueStride = 'h1000;
  localparam int unsigned QueueCount = 4;
  localparam logic [11:0] QueueControlOffset = 12'h000;
  localparam logic [31:0] QueueControlReset = 32'h00000000;
  localparam logic [11:0] QueueStatusOffset = 12'h004;
  localparam logic [11:0] QueueRingLowOffset = 12'h008;
  localparam logic [31:0] QueueRingLowReset = 32'h00000000;
  localparam logic [11:0] QueueRingHighOffset = 12'h00c;
  localparam logic [31:0] QueueRingHighReset = 32'h00000000;
  localparam logic [11:0] QueueDoneLowOffset = 12'h010;
  localparam logic [31:0] QueueDoneLowReset = 32'h00000000;
  localparam logic [11:0] QueueDoneHighOffset = 12'h014;
  localparam logic [31:0] QueueDoneHighReset = 32'h00000000;
  localparam logic [11:0] QueueRingSizeOffset = 12'h018;
  localparam logic [31:0] QueueRingSizeReset = 32'h00000000;
  localparam logic [11:0] QueueDoorbellOffset = 12'h01c;
  localparam logic [31:0] QueueDoorbellReset = 32'h00000000;
  localparam logic [11:0] QueueProgressOffset = 12'h020;
  localparam logic [11:0] QueueIrqCountOffset = 12'h024;
  localparam logic [31:0] QueueIrqCountReset = 32'h00000000;
  localparam logic [11:0] QueueIrqTimeOffset = 12'h028;
  localparam logic [31:0] QueueIrqTimeReset = 32'h00000000;
  localparam logic [11:0] QueueIrqOffset = 12'h02c;
  localparam logic [31:0] QueueIrqReset = 32'h00000000;
  localparam logic [11:0] QueueStartLowOffset = 12'h030;
  localparam logic [11:0] QueueStartHighOffset = 12'h034;
  localparam logic [11:0] QueueFinishLowOffset = 12'h038;
  localparam logic [11:0] QueueFinishHighOffset = 12'h03c;
  localparam logic [11:0] QueueJobsOffset = 12'h080;
  localparam logic [11:0] QueueBytesLowOffset = 12'h084;
  localparam logic [11:0] QueueBytesHighOffset = 12'h088;
  localparam logic [11:0] QueueBusyCyclesOffset = 12'h08c;
  localparam logic [11:0] QueueWaitCyclesOffset = 12'h090;
  localparam logic [11:0] QueuePrepareCyclesOffset = 12'h094;
  localparam logic [11:0] QueueDataCyclesOffset = 12'h098;
  localparam logic [11:0] QueueWriteCyclesOffset = 12'h09c;
  localparam logic [11:0] QueueCompleteCyclesOffset = 12'h0a0;
  localparam logic [11:0] QueueStallReadOffset = 12'h0a4;
  localparam logic [11:0] QueueStallWriteOffset = 12'h0a8;
  localparam logic [11:0] QueueStallStreamOffset = 12'h0ac;
  localparam logic [11:0] QueueFetchCyclesOffset = 12'h0b0;
  localparam logic [11:0] QueueTagCyclesOffset = 12'h0b4;
  localparam logic [11:0] QueueErrorAuthOffset = 12'h0c0;
  localparam logic [11:0] QueueErrorRequestOffset = 12'h0c4;
  localparam logic [11:0] QueueErrorKeyOffset = 12'h0c8;
  localparam logic [11:0] QueueErrorWindowOffset = 12'h0cc;
  localparam logic [11:0] QueueErrorBusOffset = 12'h0d0;
  localparam logic [11:0] QueueErrorTimeoutOffset = 12'h0d4;

  typedef struct packed {
    logic [28:0] unused3;
    logic irq_enable;
    logic reset;
    logic enable;
  } ow_queue_control_t;

  typedef struct packed {
    logic [15:0] unused16;
    logic [7:0] halt;
    logic [4:0] unused3;
    logic watchdog;
    logic halted;
    logic busy;
  } ow_queue_status_t;

  typedef struct packed {
    logic [27:0] unused4;
    logic [3:0] log2;
  } ow_queue_ring_size_t;

  typedef struct packed {
    logic [15:0] unused16;
    logic [15:0] count;
  } ow_queue_doorbell_t;

  typedef struct packed {
    logic [15:0] completed;
    logic [15:0] fetched;
  } ow_queue_progress_t;

  typedef struct packed {
    logic [15:0] unused16;
    logic [15:0] completions;
  } ow_queue_irq_count_t;

  typedef struct packed {
    logic [30:0] unused1;
    logic pending;
  } ow_queue_irq_t;

  // What the owner of the device grants a queue.
  localparam logic [11:0] QueueConfigOffset = 12'h400;
  localparam int unsigned QueueConfigStride = 'h100;
  localparam int unsigned QueueConfigCount = 4;
  localparam logic [11:0] QueueConfigGrantOffset = 12'h000;
  localparam logic [31:0] QueueConfigGrantReset = 32'h00000000;
  localparam logic [11:0] QueueConfigWatchdogOffset = 12'h004;
  localparam logic [31:0] QueueConfigWatchdogReset = 32'h00000000;

  typedef struct packed {
    logic [28:0] unused3;
    logic any_address;
    logic priority_;
    logic allow;
  } ow_queue_config_grant_t;

  // An address window: the bytes from base to last, both included.
  localparam logic [11:0] WindowOffset = 12'h080;
  localparam int unsigned WindowStride = 'h20;
  localparam int unsigned WindowCount = 4;
  localparam logic [11:0] WindowBaseLowOffset = 12'h000;
  localparam logic [31:0] WindowBaseLowReset = 32'h00000000;
  localparam logic [11:0] WindowBaseHighOffset = 12'h004;
  localparam logic [31:0] WindowBaseHighReset = 32'h00000000;
  localparam logic [11:0] WindowLastLowOffset = 12'h008;
  localparam logic [31:0] WindowLastLowReset = 32'h00000000;
  localparam logic [11:0] WindowLastHighOffset = 12'h00c;
  localparam logic [31:0] WindowLastHighReset = 32'h00000000;
  localparam logic [11:0] WindowPermissionOffset = 12'h010;
  localparam logic [31:0] WindowPermissionReset = 32'h00000000;

  typedef struct packed {
    logic [29:0] unused2;
    logic write;
    logic read;
  } ow_window_permission_t;

  // Engines by their numbers, the shell's included; the high digits of their opcodes, a bit a digit.
  localparam int unsigned NumEngines = 9;
  localparam logic [NumEngines-1:0][15:0] EngineDigits = {
    16'h0400, 16'h0100, 16'h0080, 16'h0040, 16'h0020, 16'h0010, 16'h000c, 16'h0002, 16'h0000
  };
  // The opcodes with an engine's first high digit, a bit an opcode, by their low digits.
  localparam logic [15:0] AesOpcodes = 16'h84ff;
  localparam logic [15:0] HashOpcodes = 16'h3f7f;
  localparam logic [15:0] RadioOpcodes = 16'hb5be;
  localparam logic [15:0] DesOpcodes = 16'h000f;
  localparam logic [15:0] PkaOpcodes = 16'h1fff;
  localparam logic [15:0] CombinedOpcodes = 16'h00ff;
  localparam logic [15:0] AsconOpcodes = 16'h000f;
  localparam logic [15:0] LatticeOpcodes = 16'h003f;

  // What each engine of a build can do.
  typedef struct packed {
    ow_global_aes_t aes;
    ow_global_hash_t hash;
    ow_global_hash_units_t hash_units;
    ow_global_radio_t radio;
    ow_global_des_t des;
    ow_global_combined_t combined;
    ow_global_pka_t pka;
    ow_global_ascon_t ascon;
    ow_global_lattice_t lattice;
  } ow_capabilities_t;

  // The capability register at an offset; zero where there is none.
  function automatic logic [31:0] ow_capability(ow_capabilities_t of, logic [11:0] offset);
    unique case (offset)
      GlobalAesOffset:       ow_capability = of.aes;
      GlobalHashOffset:      ow_capability = of.hash;
      GlobalHashUnitsOffset: ow_capability = of.hash_units;
      GlobalRadioOffset:     ow_capability = of.radio;
      GlobalDesOffset:       ow_capability = of.des;
      GlobalCombinedOffset:  ow_capability = of.combined;
      GlobalPkaOffset:       ow_capability = of.pka;
      GlobalAsconOffset:     ow_capability = of.ascon;
      GlobalLatticeOffset:   ow_capability = of.lattice;
      default:               ow_capability = '0;
    endcase
  endfunction

  // The engines of a build, a bit an engine: those that can do anything, and the shell.
  function automatic logic [31:0] ow_engines(ow_capabilities_t of);
    ow_engines = 32'd1 << EngineShell;
    if (of.aes != '0) ow_engines |= 32'd1 << EngineAes;
    if (of.hash != '0) ow_engines |= 32'd1 << EngineHash;
    if (of.hash_units != '0) ow_engines |= 32'd1 << EngineHash;
    if (of.radio != '0) ow_engines |= 32'd1 << EngineRadio;
    if (of.des != '0) ow_engines |= 32'd1 << EngineDes;
    if (of.combined != '0) ow_engines |= 32'd1 << EngineCombined;
    if (of.pka != '0) ow_engines |= 32'd1 << EnginePka;
    if (of.ascon != '0) ow_engines |= 32'd1 << EngineAscon;
    if (of.lattice != '0) ow_engines |= 32'd1 << EngineLattice;
  endfunction

  localparam int unsigned DescriptorControlOpcodeLsb = 0;
  localparam int unsigned DescriptorControlOpcodeWidth = 8;
  localparam int unsigned DescriptorControlKeyLsb = 8;
  localparam int unsigned DescriptorControlKeyWidth = 8;
  localparam int unsigned DescriptorControlTagLengthLsb = 16;
  localparam int unsigned DescriptorControlTagLengthWidth = 5;
  localparam int unsigned DescriptorControlDecryptLsb = 21;
  localparam int unsigned DescriptorControlDecryptWidth = 1;
  localparam int unsigned DescriptorControlInlineKeyLsb = 22;
  localparam int unsigned DescriptorControlInlineKeyWidth = 1;
  localparam int unsigned DescriptorControlLoadStateLsb = 23;
  localparam int unsigned DescriptorControlLoadStateWidth = 1;
  localparam int unsigned DescriptorControlSaveStateLsb = 24;
  localparam int unsigned DescriptorControlSaveStateWidth = 1;
  localparam int unsigned DescriptorControlSourceListLsb = 25;
  localparam int unsigned DescriptorControlSourceListWidth = 1;
  localparam int unsigned DescriptorControlDestinationListLsb = 26;
  localparam int unsigned DescriptorControlDestinationListWidth = 1;
  localparam int unsigned DescriptorControlLongIvLsb = 27;
  localparam int unsigned DescriptorControlLongIvWidth = 1;
  localparam int unsigned DescriptorControlAppendTagLsb = 28;
  localparam int unsigned DescriptorControlAppendTagWidth = 1;
  localparam int unsigned DescriptorControlFenceLsb = 29;
  localparam int unsigned DescriptorControlFenceWidth = 1;
  localparam int unsigned DescriptorControlInterruptLsb = 30;
  localparam int unsigned DescriptorControlInterruptWidth = 1;
  localparam int unsigned DescriptorControlGenerationLsb = 31;
  localparam int unsigned DescriptorControlGenerationWidth = 1;

  localparam int unsigned SlotContextValueAddressLsb = 0;
  localparam int unsigned SlotContextValueAddressWidth = 48;
  localparam int unsigned SlotContextValueGenerationLsb = 48;
  localparam int unsigned SlotContextValueGenerationWidth = 16;

  localparam int unsigned RadioIvWayBearerLsb = 0;
  localparam int unsigned RadioIvWayBearerWidth = 5;
  localparam int unsigned RadioIvWayDirectionLsb = 5;
  localparam int unsigned RadioIvWayDirectionWidth = 1;
  localparam int unsigned RadioIvControlLastBitsLsb = 0;
  localparam int unsigned RadioIvControlLastBitsWidth = 3;
  localparam int unsigned RadioIvControlClearBytesLsb = 8;
  localparam int unsigned RadioIvControlClearBytesWidth = 4;
  localparam int unsigned RadioIvControlMacOfCiphertextLsb = 16;
  localparam int unsigned RadioIvControlMacOfCiphertextWidth = 1;

  localparam int unsigned PkaParametersFirstNBitsLsb = 0;
  localparam int unsigned PkaParametersFirstNBitsWidth = 16;
  localparam int unsigned PkaParametersFirstEBitsLsb = 16;
  localparam int unsigned PkaParametersFirstEBitsWidth = 16;
  localparam int unsigned PkaParametersPrimesPBitsLsb = 0;
  localparam int unsigned PkaParametersPrimesPBitsWidth = 16;
  localparam int unsigned PkaParametersPrimesQBitsLsb = 16;
  localparam int unsigned PkaParametersPrimesQBitsWidth = 16;

  localparam int unsigned LatticeParametersFirstKLsb = 0;
  localparam int unsigned LatticeParametersFirstKWidth = 4;
  localparam int unsigned LatticeParametersFirstSlotLsb = 8;
  localparam int unsigned LatticeParametersFirstSlotWidth = 8;
  localparam int unsigned LatticeParametersFirstGenerationLsb = 16;
  localparam int unsigned LatticeParametersFirstGenerationWidth = 16;

  localparam int unsigned CompletionResultStatusLsb = 0;
  localparam int unsigned CompletionResultStatusWidth = 8;
  localparam int unsigned CompletionResultPhaseLsb = 31;
  localparam int unsigned CompletionResultPhaseWidth = 1;

  localparam int unsigned SegmentControlLastLsb = 0;
  localparam int unsigned SegmentControlLastWidth = 1;

  localparam int unsigned GlobalVersionPatchLsb = 0;
  localparam int unsigned GlobalVersionPatchWidth = 8;
  localparam int unsigned GlobalVersionMinorLsb = 8;
  localparam int unsigned GlobalVersionMinorWidth = 8;
  localparam int unsigned GlobalVersionMajorLsb = 16;
  localparam int unsigned GlobalVersionMajorWidth = 16;
  localparam int unsigned GlobalShellQueuesLsb = 0;
  localparam int unsigned GlobalShellQueuesWidth = 8;
  localparam int unsigned GlobalShellStreamsLsb = 8;
  localparam int unsigned GlobalShellStreamsWidth = 8;
  localparam int unsigned GlobalShellKeySlotsLsb = 16;
  localparam int unsigned GlobalShellKeySlotsWidth = 8;
  localparam int unsigned GlobalShellBusBytesLsb = 24;
  localparam int unsigned GlobalShellBusBytesWidth = 8;
  localparam int unsigned GlobalLimitsRingLog2MaxLsb = 0;
  localparam int unsigned GlobalLimitsRingLog2MaxWidth = 8;
  localparam int unsigned GlobalLimitsWindowsLsb = 8;
  localparam int unsigned GlobalLimitsWindowsWidth = 8;
  localparam int unsigned GlobalLimitsNoSealLsb = 16;
  localparam int unsigned GlobalLimitsNoSealWidth = 1;
  localparam int unsigned GlobalLimitsNoStepCyclesLsb = 17;
  localparam int unsigned GlobalLimitsNoStepCyclesWidth = 1;
  localparam int unsigned GlobalLimitsMadeKeysLsb = 18;
  localparam int unsigned GlobalLimitsMadeKeysWidth = 1;
  localparam int unsigned GlobalAesModesLsb = 0;
  localparam int unsigned GlobalAesModesWidth = 16;
  localparam int unsigned GlobalAesStagesLsb = 16;
  localparam int unsigned GlobalAesStagesWidth = 8;
  localparam int unsigned GlobalAesDecryptLsb = 24;
  localparam int unsigned GlobalAesDecryptWidth = 1;
  localparam int unsigned GlobalAesVersionLsb = 28;
  localparam int unsigned GlobalAesVersionWidth = 4;
  localparam int unsigned GlobalHashAlgorithmsLsb = 0;
  localparam int unsigned GlobalHashAlgorithmsWidth = 16;
  localparam int unsigned GlobalHashVersionLsb = 28;
  localparam int unsigned GlobalHashVersionWidth = 4;
  localparam int unsigned GlobalHashUnitsSha256Lsb = 0;
  localparam int unsigned GlobalHashUnitsSha256Width = 4;
  localparam int unsigned GlobalHashUnitsSha512Lsb = 4;
  localparam int unsigned GlobalHashUnitsSha512Width = 4;
  localparam int unsigned GlobalHashUnitsKeccakLsb = 8;
  localparam int unsigned GlobalHashUnitsKeccakWidth = 4;
  localparam int unsigned GlobalHashUnitsShaRoundsLsb = 16;
  localparam int unsigned GlobalHashUnitsShaRoundsWidth = 4;
  localparam int unsigned GlobalHashUnitsKeccakRoundsLsb = 20;
  localparam int unsigned GlobalHashUnitsKeccakRoundsWidth = 4;
  localparam int unsigned GlobalStatusBusyLsb = 0;
  localparam int unsigned GlobalStatusBusyWidth = 1;
  localparam int unsigned GlobalStatusZeroisingLsb = 1;
  localparam int unsigned GlobalStatusZeroisingWidth = 1;
  localparam int unsigned GlobalStatusTamperLsb = 2;
  localparam int unsigned GlobalStatusTamperWidth = 1;
  localparam int unsigned GlobalStatusSeededLsb = 3;
  localparam int unsigned GlobalStatusSeededWidth = 1;
  localparam int unsigned GlobalRadioAlgorithmsLsb = 0;
  localparam int unsigned GlobalRadioAlgorithmsWidth = 16;
  localparam int unsigned GlobalRadioLanesLsb = 16;
  localparam int unsigned GlobalRadioLanesWidth = 8;
  localparam int unsigned GlobalRadioVersionLsb = 28;
  localparam int unsigned GlobalRadioVersionWidth = 4;
  localparam int unsigned GlobalDesModesLsb = 0;
  localparam int unsigned GlobalDesModesWidth = 16;
  localparam int unsigned GlobalDesLegacyLsb = 16;
  localparam int unsigned GlobalDesLegacyWidth = 1;
  localparam int unsigned GlobalDesVersionLsb = 28;
  localparam int unsigned GlobalDesVersionWidth = 4;
  localparam int unsigned GlobalCombinedAlgorithmsLsb = 0;
  localparam int unsigned GlobalCombinedAlgorithmsWidth = 16;
  localparam int unsigned GlobalCombinedCbcDecryptLsb = 24;
  localparam int unsigned GlobalCombinedCbcDecryptWidth = 1;
  localparam int unsigned GlobalCombinedVersionLsb = 28;
  localparam int unsigned GlobalCombinedVersionWidth = 4;
  localparam int unsigned GlobalPkaOperationsLsb = 0;
  localparam int unsigned GlobalPkaOperationsWidth = 16;
  localparam int unsigned GlobalPkaCurvesLsb = 16;
  localparam int unsigned GlobalPkaCurvesWidth = 4;
  localparam int unsigned GlobalPkaRowsLsb = 20;
  localparam int unsigned GlobalPkaRowsWidth = 4;
  localparam int unsigned GlobalPkaRsaKeysLsb = 24;
  localparam int unsigned GlobalPkaRsaKeysWidth = 4;
  localparam int unsigned GlobalPkaVersionLsb = 28;
  localparam int unsigned GlobalPkaVersionWidth = 4;
  localparam int unsigned GlobalKeySlotIndexLsb = 0;
  localparam int unsigned GlobalKeySlotIndexWidth = 8;
  localparam int unsigned GlobalKeyConfigLengthLsb = 0;
  localparam int unsigned GlobalKeyConfigLengthWidth = 2;
  localparam int unsigned GlobalKeyConfigTwoKeysLsb = 2;
  localparam int unsigned GlobalKeyConfigTwoKeysWidth = 1;
  localparam int unsigned GlobalKeyConfigEncryptLsb = 3;
  localparam int unsigned GlobalKeyConfigEncryptWidth = 1;
  localparam int unsigned GlobalKeyConfigDecryptLsb = 4;
  localparam int unsigned GlobalKeyConfigDecryptWidth = 1;
  localparam int unsigned GlobalKeyConfigMacLsb = 5;
  localparam int unsigned GlobalKeyConfigMacWidth = 1;
  localparam int unsigned GlobalKeyConfigQueuesLsb = 8;
  localparam int unsigned GlobalKeyConfigQueuesWidth = 8;
  localparam int unsigned GlobalKeyConfigLockLsb = 16;
  localparam int unsigned GlobalKeyConfigLockWidth = 1;
  localparam int unsigned GlobalKeyConfigBytesLsb = 17;
  localparam int unsigned GlobalKeyConfigBytesWidth = 7;
  localparam int unsigned GlobalKeyConfigKindLsb = 24;
  localparam int unsigned GlobalKeyConfigKindWidth = 8;
  localparam int unsigned GlobalKeyCommandLoadLsb = 0;
  localparam int unsigned GlobalKeyCommandLoadWidth = 1;
  localparam int unsigned GlobalKeyCommandZeroiseLsb = 1;
  localparam int unsigned GlobalKeyCommandZeroiseWidth = 1;
  localparam int unsigned GlobalKeyCommandZeroiseAllLsb = 2;
  localparam int unsigned GlobalKeyCommandZeroiseAllWidth = 1;
  localparam int unsigned GlobalKeyCommandReserveLsb = 3;
  localparam int unsigned GlobalKeyCommandReserveWidth = 1;
  localparam int unsigned GlobalKeyStatusValidLsb = 0;
  localparam int unsigned GlobalKeyStatusValidWidth = 1;
  localparam int unsigned GlobalKeyStatusLockedLsb = 1;
  localparam int unsigned GlobalKeyStatusLockedWidth = 1;
  localparam int unsigned GlobalKeyStatusBusyLsb = 2;
  localparam int unsigned GlobalKeyStatusBusyWidth = 1;
  localparam int unsigned GlobalKeyStatusRefusedLsb = 3;
  localparam int unsigned GlobalKeyStatusRefusedWidth = 1;
  localparam int unsigned GlobalKeyStatusLengthLsb = 4;
  localparam int unsigned GlobalKeyStatusLengthWidth = 2;
  localparam int unsigned GlobalKeyStatusTwoKeysLsb = 6;
  localparam int unsigned GlobalKeyStatusTwoKeysWidth = 1;
  localparam int unsigned GlobalKeyStatusEncryptLsb = 7;
  localparam int unsigned GlobalKeyStatusEncryptWidth = 1;
  localparam int unsigned GlobalKeyStatusDecryptLsb = 8;
  localparam int unsigned GlobalKeyStatusDecryptWidth = 1;
  localparam int unsigned GlobalKeyStatusMacLsb = 9;
  localparam int unsigned GlobalKeyStatusMacWidth = 1;
  localparam int unsigned GlobalKeyStatusReservedLsb = 10;
  localparam int unsigned GlobalKeyStatusReservedWidth = 1;
  localparam int unsigned GlobalKeyStatusQueuesLsb = 16;
  localparam int unsigned GlobalKeyStatusQueuesWidth = 8;
  localparam int unsigned GlobalKeyStatusKindLsb = 24;
  localparam int unsigned GlobalKeyStatusKindWidth = 8;
  localparam int unsigned GlobalKeyGenerationValueLsb = 0;
  localparam int unsigned GlobalKeyGenerationValueWidth = 16;
  localparam int unsigned GlobalAsconAlgorithmsLsb = 0;
  localparam int unsigned GlobalAsconAlgorithmsWidth = 16;
  localparam int unsigned GlobalAsconMessagesLsb = 16;
  localparam int unsigned GlobalAsconMessagesWidth = 4;
  localparam int unsigned GlobalAsconRoundsLsb = 20;
  localparam int unsigned GlobalAsconRoundsWidth = 4;
  localparam int unsigned GlobalAsconVersionLsb = 28;
  localparam int unsigned GlobalAsconVersionWidth = 4;
  localparam int unsigned GlobalLatticeOperationsLsb = 0;
  localparam int unsigned GlobalLatticeOperationsWidth = 16;
  localparam int unsigned GlobalLatticeButterfliesLsb = 16;
  localparam int unsigned GlobalLatticeButterfliesWidth = 4;
  localparam int unsigned GlobalLatticeVersionLsb = 28;
  localparam int unsigned GlobalLatticeVersionWidth = 4;

  localparam int unsigned QueueControlEnableLsb = 0;
  localparam int unsigned QueueControlEnableWidth = 1;
  localparam int unsigned QueueControlResetLsb = 1;
  localparam int unsigned QueueControlResetWidth = 1;
  localparam int unsigned QueueControlIrqEnableLsb = 2;
  localparam int unsigned QueueControlIrqEnableWidth = 1;
  localparam int unsigned QueueStatusBusyLsb = 0;
  localparam int unsigned QueueStatusBusyWidth = 1;
  localparam int unsigned QueueStatusHaltedLsb = 1;
  localparam int unsigned QueueStatusHaltedWidth = 1;
  localparam int unsigned QueueStatusWatchdogLsb = 2;
  localparam int unsigned QueueStatusWatchdogWidth = 1;
  localparam int unsigned QueueStatusHaltLsb = 8;
  localparam int unsigned QueueStatusHaltWidth = 8;
  localparam int unsigned QueueRingSizeLog2Lsb = 0;
  localparam int unsigned QueueRingSizeLog2Width = 4;
  localparam int unsigned QueueDoorbellCountLsb = 0;
  localparam int unsigned QueueDoorbellCountWidth = 16;
  localparam int unsigned QueueProgressFetchedLsb = 0;
  localparam int unsigned QueueProgressFetchedWidth = 16;
  localparam int unsigned QueueProgressCompletedLsb = 16;
  localparam int unsigned QueueProgressCompletedWidth = 16;
  localparam int unsigned QueueIrqCountCompletionsLsb = 0;
  localparam int unsigned QueueIrqCountCompletionsWidth = 16;
  localparam int unsigned QueueIrqPendingLsb = 0;
  localparam int unsigned QueueIrqPendingWidth = 1;

  localparam int unsigned QueueConfigGrantAllowLsb = 0;
  localparam int unsigned QueueConfigGrantAllowWidth = 1;
  localparam int unsigned QueueConfigGrantPriorityLsb = 1;
  localparam int unsigned QueueConfigGrantPriorityWidth = 1;
  localparam int unsigned QueueConfigGrantAnyAddressLsb = 2;
  localparam int unsigned QueueConfigGrantAnyAddressWidth = 1;

  localparam int unsigned WindowPermissionReadLsb = 0;
  localparam int unsigned WindowPermissionReadWidth = 1;
  localparam int unsigned WindowPermissionWriteLsb = 1;
  localparam int unsigned WindowPermissionWriteWidth = 1;

endpackage
// verilator lint_on UNUSEDPARAM
// verilator lint_on SYMRSVDWORD
