// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The port for the scalar crypto instructions: an instruction leaves in the execute stage, its result joins in the memory
// stage. ../README.md has the port's contract and the encodings.
//
// VexRiscv's CfuPlugin waits for every load and store before it, because a custom function may have state, and must be
// enabled in a CSR. These instructions have no state: what is flushed on its way is dropped here.
package outwork

import spinal.core._
import spinal.lib._
import vexriscv.{DecoderService, Stageable, VexRiscv}
import vexriscv.plugin.Plugin

class ZknPlugin extends Plugin[VexRiscv] {
  val registers = List(
    M"--10--1----------000-----0110011", // aes32*
    M"01010------------000-----0110011", // sha512sum0r, sum1r, sig0l, sig1l
    M"010111-----------000-----0110011", // sha512sig0h, sig1h
    M"0110000----------001-----0110011", // rol
    M"0110000----------101-----0110011", // ror
    M"0100000----------111-----0110011", // andn
    M"0100000----------110-----0110011", // orn
    M"0100000----------100-----0110011", // xnor
    M"0000100----------100-----0110011", // pack
    M"0000100----------111-----0110011", // packh
    M"0000101----------001-----0110011", // clmul
    M"0000101----------011-----0110011"  // clmulh
  )
  val immediates = List(
    M"0001000000-------001-----0010011", // sha256sum0, sum1, sig0, sig1
    M"0110000----------101-----0010011", // rori
    M"011010011000-----101-----0010011", // rev8
    M"011010000111-----101-----0010011", // brev8
    M"000010001111-----001-----0010011", // zip
    M"000010001111-----101-----0010011"  // unzip
  )

  case class Command() extends Bundle {
    val function = Bits(16 bits)
    val rs1, rs2 = Bits(32 bits)
  }

  object IS_ZKN extends Stageable(Bool())

  var present: Bool = null
  var command: Stream[Command] = null
  var response: Stream[Bits] = null

  override def setup(pipeline: VexRiscv): Unit = {
    import pipeline.config._
    present = in(Bool()).setName("zkn_present")
    command = master(Stream(Command())).setName("zkn_cmd")
    response = slave(Stream(Bits(32 bits))).setName("zkn_rsp")
    val decoder = pipeline.service(classOf[DecoderService])
    decoder.addDefault(IS_ZKN, False)
    for ((keys, second) <- List((registers, True), (immediates, False)); key <- keys) {
      decoder.add(key, List(
        IS_ZKN -> True,
        REGFILE_WRITE_VALID -> True,
        BYPASSABLE_EXECUTE_STAGE -> False,
        BYPASSABLE_MEMORY_STAGE -> True,
        RS1_USE -> True,
        RS2_USE -> second
      ))
    }
  }

  override def build(pipeline: VexRiscv): Unit = {
    import pipeline._
    import pipeline.config._

    when(decode.input(IS_ZKN) && !present) {
      pipeline.service(classOf[DecoderService]).forceIllegal()
    }

    execute plug new Area {
      import execute._
      val word = input(INSTRUCTION)
      command.valid := arbitration.isValid && input(IS_ZKN) && !arbitration.isStuckByOthers && !arbitration.isFlushed
      command.function := word(31 downto 20) ## word(14 downto 12) ## word(5)
      command.rs1 := input(RS1)
      command.rs2 := input(RS2)
      arbitration.haltItself setWhen (command.valid && !command.ready)
    }

    memory plug new Area {
      import memory._
      val waiting = arbitration.isValid && input(IS_ZKN)
      val drop = RegInit(False) // the result of an instruction that was flushed while it waited
      when(response.fire) {
        drop := False
      } elsewhen (waiting && arbitration.isFlushed) {
        drop := True
      }
      response.ready := drop || waiting && (!arbitration.isStuckByOthers || arbitration.isFlushed)
      when(waiting) {
        arbitration.haltItself setWhen (drop || !response.valid)
        output(REGFILE_WRITE_DATA) := response.payload
      }
    }
  }
}
