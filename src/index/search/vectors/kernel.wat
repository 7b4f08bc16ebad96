;; The scan of an index of vectors: `Scan` in kernel.ts says what the parameters are.
;; After a change: node test/support/make-kernel.mjs
(module
  (memory (import "kernel" "memory") 0)

  (func (export "scan")
    (param $question i32) (param $codes i32) (param $excesses i32) (param $steps i32)
    (param $stride i32) (param $rows i32) (param $least f32) (param $found i32) (param $scores i32)
    (result i32)
    (local $at i32) (local $end i32) (local $row i32) (local $count i32) (local $score f32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)

    (local.set $end (i32.add (local.get $question) (local.get $stride)))
    (loop $next
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $question))

      ;; 64 numbers a turn, in four sums that do not wait for each other. The question's are seven bits without a
      ;; sign, for which the relaxed product is the same on every processor.
      (loop $numbers
        (local.set $a (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load (local.get $codes)) (v128.load (local.get $at)) (local.get $a)))
        (local.set $b (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load offset=16 (local.get $codes)) (v128.load offset=16 (local.get $at)) (local.get $b)))
        (local.set $c (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load offset=32 (local.get $codes)) (v128.load offset=32 (local.get $at)) (local.get $c)))
        (local.set $d (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load offset=48 (local.get $codes)) (v128.load offset=48 (local.get $at)) (local.get $d)))
        (local.set $codes (i32.add (local.get $codes) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $numbers (i32.lt_u (local.get $at) (local.get $end))))

      (local.set $a (i32x4.add
        (i32x4.add (local.get $a) (local.get $b))
        (i32x4.add (local.get $c) (local.get $d))))
      (local.set $a (i32x4.add
        (local.get $a)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (local.set $score
        (f32.mul
          (f32.convert_i32_s
            (i32.sub
              (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
              (i32.load (local.get $excesses))))
          (f32.load (local.get $steps))))

      ;; What does not reach the least is overwritten by the next: no branch that is hard to foresee.
      (local.set $at (i32.shl (local.get $count) (i32.const 2)))
      (i32.store (i32.add (local.get $found) (local.get $at)) (local.get $row))
      (f32.store (i32.add (local.get $scores) (local.get $at)) (local.get $score))
      (local.set $count (i32.add (local.get $count) (f32.ge (local.get $score) (local.get $least))))

      (local.set $excesses (i32.add (local.get $excesses) (i32.const 4)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $rows))))
    (local.get $count)))
