import { assemble } from '../support/assemble.mjs';

const READER = `(module
  (memory (export "memory") 0)
  (func (export "read") (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $next
      (local.set $a (v128.or (local.get $a) (v128.load (local.get $at))))
      (local.set $b (v128.or (local.get $b) (v128.load offset=16 (local.get $at))))
      (local.set $c (v128.or (local.get $c) (v128.load offset=32 (local.get $at))))
      (local.set $d (v128.or (local.get $d) (v128.load offset=48 (local.get $at))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (i32x4.extract_lane 0
      (v128.or (v128.or (local.get $a) (local.get $b)) (v128.or (local.get $c) (local.get $d))))))`;

const PAGE = 2 ** 16;

/** Returns a function that only reads this number of bytes, 64 at a time. */
export async function makeReader(bytes: number): Promise<() => void> {
  const module = new WebAssembly.Module(Uint8Array.from(await assemble(READER)));
  const { memory, read } = new WebAssembly.Instance(module).exports as {
    memory: WebAssembly.Memory;
    read: (at: number, end: number) => number;
  };
  memory.grow(Math.ceil(bytes / PAGE));
  // Pages that were never written all are the same one.
  new Uint32Array(memory.buffer).fill(0x01020304);
  return () => {
    read(0, Math.ceil(bytes / 64) * 64);
  };
}
