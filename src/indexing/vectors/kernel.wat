;; The scan of an index of vectors: `Scan` in kernel.ts says what the parameters are.
;; After a change: node test/support/make-kernel.mjs
(module
  (memory (import "kernel" "memory") 0)

  (func (export "scan")
    (param $question i32) (param $codes i32) (param $excesses i32) (param $steps i32) (param $scores i32)
    (param $stride i32) (param $rows i32)
    (local $at i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)

    (local.set $end (i32.add (local.get $question) (local.get $stride)))
    (loop $row
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
      (f32.store (local.get $scores)
        (f32.mul
          (f32.convert_i32_s
            (i32.sub
              (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
              (i32.load (local.get $excesses))))
          (f32.load (local.get $steps))))

      (local.set $excesses (i32.add (local.get $excesses) (i32.const 4)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
      (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1)))))))
