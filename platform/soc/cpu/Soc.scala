// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Writes soc_cpu.v: a VexRiscv with caches, MMU and a port for the scalar crypto instructions.
//
// rv32imac with machine, supervisor and user mode. The caches have ways of one page, as the MMU wants it. The data cache
// writes through, and drops lines that others have written. Everything below 0x8000_0000 is not cached.
package outwork

import spinal.core._
import vexriscv.{Riscv, VexRiscv, VexRiscvConfig}
import vexriscv.ip.{DataCacheConfig, InstructionCacheConfig}
import vexriscv.plugin._

/** Shows every instruction that ends, for profiles and for the place where a program hangs. */
class RetirePlugin extends Plugin[VexRiscv] {
  override def build(pipeline: VexRiscv): Unit = {
    import pipeline.writeBack._
    out(Bool()).setName("retire_valid") := arbitration.isFiring
    out(UInt(32 bits)).setName("retire_pc") := input(pipeline.config.PC)
  }
}

/** Lets the data cache be emptied under an MMU.
  *
  * The MMU also looks for the address of an instruction that accesses no memory. Where it does not know that page, the
  * cache took this for an access that has to wait, and kept what it was told to drop.
  */
class EmptyCachePlugin(data: DBusCachedPlugin) extends Plugin[VexRiscv] {
  override def build(pipeline: VexRiscv): Unit = when(!data.mmuBus.cmd.last.isValid) {
    data.mmuBus.rsp.refilling := False
  }
}

object Soc extends App {
  val cacheBytes = 16384
  val cacheWays = 4
  val lineBytes = 64
  val busBits = 64
  val translation = MmuPortConfig(portTlbSize = 4, latency = 1, earlyRequireMmuLockup = true, earlyCacheHits = true)

  val instructions = new IBusCachedPlugin(
    resetVector = 0x80000000l,
    compressedGen = true,
    injectorStage = true,
    prediction = DYNAMIC_TARGET,
    historyRamSizeLog2 = 9,
    config = InstructionCacheConfig(
      cacheSize = cacheBytes,
      wayCount = cacheWays,
      bytePerLine = lineBytes,
      addressWidth = 32,
      cpuDataWidth = 32,
      memDataWidth = busBits,
      catchIllegalAccess = true,
      catchAccessFault = true,
      asyncTagMemory = false,
      twoCycleRam = false,
      twoCycleCache = true,
      reducedBankWidth = true
    ),
    memoryTranslatorPortConfig = translation
  )

  val data = new DBusCachedPlugin(
    dBusCmdSlavePipe = true,
    dBusRspSlavePipe = true,
    relaxedMemoryTranslationRegister = true,
    config = new DataCacheConfig(
      cacheSize = cacheBytes,
      wayCount = cacheWays,
      bytePerLine = lineBytes,
      addressWidth = 32,
      cpuDataWidth = 32,
      memDataWidth = busBits,
      catchAccessError = true,
      catchIllegal = true,
      catchUnaligned = true,
      withLrSc = true,
      withAmo = true,
      withExclusive = true,
      withInvalidate = true
    ),
    memoryTranslatorPortConfig = translation
  )

  val control = CsrPluginConfig.openSbi(mhartid = 0, misa = Riscv.misaToInt("imacsu")).copy(
    mcycleAccess = CsrAccess.READ_WRITE,
    minstretAccess = CsrAccess.READ_WRITE,
    ucycleAccess = CsrAccess.READ_ONLY,
    uinstretAccess = CsrAccess.READ_ONLY,
    utimeAccess = CsrAccess.READ_ONLY,
    ebreakGen = true,
    wfiOutput = true
  )

  def cpu = new VexRiscv(VexRiscvConfig(plugins = List(
    new MmuPlugin(ioRange = !_.msb),
    instructions,
    data,
    new DecoderSimplePlugin(catchIllegalInstruction = true),
    new RegFilePlugin(regFileReadyKind = vexriscv.plugin.SYNC, x0Init = true),
    new IntAluPlugin,
    new SrcPlugin,
    new FullBarrelShifterPlugin(earlyInjection = true),
    new HazardSimplePlugin(
      bypassExecute = true,
      bypassMemory = true,
      bypassWriteBack = true,
      bypassWriteBackBuffer = true
    ),
    new MulPlugin,
    new MulDivIterativePlugin(genMul = false, divUnrollFactor = 1),
    new CsrPlugin(control),
    new BranchPlugin(earlyBranch = true, catchAddressMisaligned = true),
    new EmptyCachePlugin(data),
    new ZknPlugin,
    new RetirePlugin
  )))

  SpinalConfig(
    targetDirectory = args(0),
    defaultConfigForClockDomains = ClockDomainConfig(resetKind = spinal.core.SYNC)
  ).generateVerilog(cpu.setDefinitionName("soc_cpu"))
}
