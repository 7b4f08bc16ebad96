;; The two loops of an index of vectors. `Kernel` in kernel.ts describes the parameters and the layout.
;; After a change: node test/support/make-kernel.mjs
(module
  (memory (import "kernel" "memory") 0)

  ;; Writes 32 sums of 16 bits, in the order of the rows: for each table, the entries that the two planes of a group
  ;; select. A table has 16 bytes for each plane, and so has the group. Two bytes of the same table sum to one byte.
  (func $sum (param $tables i32) (param $codes i32) (param $count i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $first v128) (local $second v128) (local $entries v128) (local $low v128)
    (local.set $low (i8x16.splat (i32.const 15)))
    (loop $next
      (local.set $first (v128.load (local.get $codes)))
      (local.set $second (v128.load offset=16 (local.get $codes)))

      ;; $a adds pairs of bytes, $b only their upper bytes, so that $a - 256 $b are the sums of the lower ones.
      (local.set $entries
        (i8x16.add
          (i8x16.relaxed_swizzle
            (v128.load (local.get $tables))
            (v128.and (local.get $first) (local.get $low)))
          (i8x16.relaxed_swizzle
            (v128.load offset=16 (local.get $tables))
            (v128.and (local.get $second) (local.get $low)))))
      (local.set $a (i16x8.add (local.get $a) (local.get $entries)))
      (local.set $b (i16x8.add (local.get $b) (i16x8.shr_u (local.get $entries) (i32.const 8))))

      ;; The same for the upper four bits. A shift of 16 bits is faster than one of 8.
      (local.set $entries
        (i8x16.add
          (i8x16.relaxed_swizzle
            (v128.load (local.get $tables))
            (v128.and (i16x8.shr_u (local.get $first) (i32.const 4)) (local.get $low)))
          (i8x16.relaxed_swizzle
            (v128.load offset=16 (local.get $tables))
            (v128.and (i16x8.shr_u (local.get $second) (i32.const 4)) (local.get $low)))))
      (local.set $c (i16x8.add (local.get $c) (local.get $entries)))
      (local.set $d (i16x8.add (local.get $d) (i16x8.shr_u (local.get $entries) (i32.const 8))))

      (local.set $tables (i32.add (local.get $tables) (i32.const 32)))
      (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (v128.store (local.get $out) (i16x8.sub (local.get $a) (i16x8.shl (local.get $b) (i32.const 8))))
    (v128.store offset=16 (local.get $out) (local.get $b))
    (v128.store offset=32 (local.get $out) (i16x8.sub (local.get $c) (i16x8.shl (local.get $d) (i32.const 8))))
    (v128.store offset=48 (local.get $out) (local.get $d)))

  (func (export "scan")
    (param $tables i32) (param $count i32) (param $codes i32) (param $factors i32) (param $groups i32)
    (param $unit f32) (param $offset f32) (param $base f32) (param $least f32)
    (param $sums i32) (param $found i32) (param $scores i32)
    (result i32)
    (local $row i32) (local $end i32) (local $at i32) (local $matches i32) (local $mask i32)
    (local $score v128)
    (loop $group
      (if (i32.eqz (i32.and (local.get $groups) (i32.const 1)))
        (then (local.set $row (i32.add (local.get $row) (i32.const 32))))
        (else
          (call $sum (local.get $tables) (local.get $codes) (local.get $count) (local.get $sums))
          (local.set $at (local.get $sums))
          (local.set $end (i32.add (local.get $row) (i32.const 32)))
          (loop $four
            (local.set $score
              (f32x4.add
                (f32x4.splat (local.get $base))
                (f32x4.mul
                  (f32x4.sub
                    (f32x4.mul
                      (f32x4.convert_i32x4_u (v128.load16x4_u (local.get $at)))
                      (f32x4.splat (local.get $unit)))
                    (f32x4.splat (local.get $offset)))
                  (v128.load (i32.add (local.get $factors) (i32.shl (local.get $row) (i32.const 2)))))))
            (local.set $mask
              (i32x4.bitmask (f32x4.ge (local.get $score) (f32x4.splat (local.get $least)))))
            (if (local.get $mask)
              (then
                (loop $one
                  (if (i32.and (local.get $mask) (i32.const 1))
                    (then
                      (i32.store
                        (i32.add (local.get $found) (i32.shl (local.get $matches) (i32.const 2)))
                        (local.get $row))
                      (f32.store
                        (i32.add (local.get $scores) (i32.shl (local.get $matches) (i32.const 2)))
                        (f32x4.extract_lane 0 (local.get $score)))
                      (local.set $matches (i32.add (local.get $matches) (i32.const 1)))))
                  ;; The next lane becomes the first.
                  (local.set $score
                    (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 (local.get $score) (local.get $score)))
                  (local.set $mask (i32.shr_u (local.get $mask) (i32.const 1)))
                  (local.set $row (i32.add (local.get $row) (i32.const 1)))
                  (br_if $one (i32.and (local.get $row) (i32.const 3)))))
              (else (local.set $row (i32.add (local.get $row) (i32.const 4)))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $four (i32.lt_u (local.get $row) (local.get $end))))))
      (local.set $codes (i32.add (local.get $codes) (i32.shl (local.get $count) (i32.const 5))))
      (br_if $group (local.tee $groups (i32.shr_u (local.get $groups) (i32.const 1)))))
    (local.get $matches))

  (func (export "multiply") (param $question i32) (param $row i32) (param $stride i32) (result i32)
    (local $end i32) (local $a v128) (local $b v128) (local $codes v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (loop $next
      (local.set $codes (v128.load (local.get $row)))
      (local.set $a
        (i32x4.add
          (local.get $a)
          (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $codes))
            (v128.load (local.get $question)))))
      (local.set $b
        (i32x4.add
          (local.get $b)
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $codes))
            (v128.load offset=16 (local.get $question)))))
      (local.set $question (i32.add (local.get $question) (i32.const 32)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))
    (local.set $a (i32x4.add (local.get $a) (local.get $b)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
      (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a))))))
