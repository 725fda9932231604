;; Arithmetic of the embedded content index over columns in one shared memory (matrix.ts lays them out).
;;
;; Rows are quantised to 7 bits, stored as 0..127 with 64 for zero; queries to 8 bits, signed. The dot
;; product of the two is exact in the relaxed instruction whatever the machine makes of it, because the
;; second operand never uses its eighth bit. `kernel-plain.wasm` is this text with $dot from plain SIMD.
(module
  (import "env" "memory" (memory 1 65536 shared))

  ;; Appends to the buffer of one query: scores first, then slots. Counts live at state + 32, buffers at
  ;; state + 64.
  (func $append (param $state i32) (param $query i32) (param $capacity i32) (param $slot i32) (param $score f32)
    (local $count i32) (local $counter i32) (local $entry i32)
    (local.set $counter (i32.add (local.get $state) (i32.shl (local.get $query) (i32.const 2))))
    (local.set $count (i32.load offset=32 (local.get $counter)))
    (local.set $entry
      (i32.add
        (local.get $state)
        (i32.shl
          (i32.add
            (i32.mul (i32.shl (local.get $query) (i32.const 1)) (local.get $capacity))
            (local.get $count))
          (i32.const 2))))
    (f32.store offset=64 (local.get $entry) (local.get $score))
    (i32.store offset=64
      (i32.add (local.get $entry) (i32.shl (local.get $capacity) (i32.const 2)))
      (local.get $slot))
    (i32.store offset=32 (local.get $counter) (i32.add (local.get $count) (i32.const 1))))

  ;; Takes one row into the buffers of the queries whose bit is set in `hits`.
  (func $take (param $state i32) (param $capacity i32) (param $slot i32) (param $scores v128) (param $hits i32)
    (if (i32.and (local.get $hits) (i32.const 1))
      (then (call $append (local.get $state) (i32.const 0) (local.get $capacity) (local.get $slot)
        (f32x4.extract_lane 0 (local.get $scores)))))
    (if (i32.and (local.get $hits) (i32.const 2))
      (then (call $append (local.get $state) (i32.const 1) (local.get $capacity) (local.get $slot)
        (f32x4.extract_lane 1 (local.get $scores)))))
    (if (i32.and (local.get $hits) (i32.const 4))
      (then (call $append (local.get $state) (i32.const 2) (local.get $capacity) (local.get $slot)
        (f32x4.extract_lane 2 (local.get $scores)))))
    (if (i32.and (local.get $hits) (i32.const 8))
      (then (call $append (local.get $state) (i32.const 3) (local.get $capacity) (local.get $slot)
        (f32x4.extract_lane 3 (local.get $scores))))))

  ;; Lane sums of four accumulators, one a lane.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab
      (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd
      (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; First pass of four queries over rows begin..end (even) of a segment. Rows whose mask byte is set and
  ;; whose score reaches a query's threshold go to that query's buffer. Returns the row to go on from:
  ;; less than `end` when a buffer holds `full` entries, or one less, and another row would go into it.
  ;; state: thresholds f32x4, biases i32x4, counts i32x4, buffers.
  (func (export "sweep")
    (param $rows i32) (param $rowBytes i32) (param $scales i32) (param $mask i32) (param $begin i32)
    (param $end i32) (param $queries i32) (param $state i32) (param $capacity i32) (param $full i32)
    (param $firstSlot i32)
    (result i32)
    (local $row i32) (local $at i32) (local $stop i32) (local $query i32)
    (local $x v128) (local $y v128)
    (local $q0 v128) (local $q1 v128) (local $q2 v128) (local $q3 v128)
    (local $x0 v128) (local $x1 v128) (local $x2 v128) (local $x3 v128)
    (local $y0 v128) (local $y1 v128) (local $y2 v128) (local $y3 v128)
    (local $hitX i32) (local $hitY i32)
    (local.set $row (local.get $begin))
    (block $done
      (loop $pairs
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (if (i32.load16_u (i32.add (local.get $mask) (local.get $row)))
          (then
            (local.set $at
              (i32.add (local.get $rows) (i32.mul (local.get $row) (local.get $rowBytes))))
            (local.set $stop (i32.add (local.get $at) (local.get $rowBytes)))
            (local.set $query (local.get $queries))
            (local.set $x0 (v128.const i32x4 0 0 0 0)) (local.set $x1 (v128.const i32x4 0 0 0 0))
            (local.set $x2 (v128.const i32x4 0 0 0 0)) (local.set $x3 (v128.const i32x4 0 0 0 0))
            (local.set $y0 (v128.const i32x4 0 0 0 0)) (local.set $y1 (v128.const i32x4 0 0 0 0))
            (local.set $y2 (v128.const i32x4 0 0 0 0)) (local.set $y3 (v128.const i32x4 0 0 0 0))
            (loop $chunks
              (local.set $x (v128.load (local.get $at)))
              (local.set $y (v128.load (i32.add (local.get $at) (local.get $rowBytes))))
              (local.set $q0 (v128.load (local.get $query)))
              (local.set $q1 (v128.load offset=16 (local.get $query)))
              (local.set $q2 (v128.load offset=32 (local.get $query)))
              (local.set $q3 (v128.load offset=48 (local.get $query)))
              (local.set $x0 (call $dot (local.get $q0) (local.get $x) (local.get $x0)))
              (local.set $x1 (call $dot (local.get $q1) (local.get $x) (local.get $x1)))
              (local.set $x2 (call $dot (local.get $q2) (local.get $x) (local.get $x2)))
              (local.set $x3 (call $dot (local.get $q3) (local.get $x) (local.get $x3)))
              (local.set $y0 (call $dot (local.get $q0) (local.get $y) (local.get $y0)))
              (local.set $y1 (call $dot (local.get $q1) (local.get $y) (local.get $y1)))
              (local.set $y2 (call $dot (local.get $q2) (local.get $y) (local.get $y2)))
              (local.set $y3 (call $dot (local.get $q3) (local.get $y) (local.get $y3)))
              (local.set $query (i32.add (local.get $query) (i32.const 64)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $chunks (i32.lt_u (local.get $at) (local.get $stop))))
            (local.set $x
              (f32x4.mul
                (v128.load32_splat
                  (i32.add (local.get $scales) (i32.shl (local.get $row) (i32.const 2))))
                (f32x4.convert_i32x4_s
                  (i32x4.add
                    (v128.load offset=16 (local.get $state))
                    (call $sums (local.get $x0) (local.get $x1) (local.get $x2) (local.get $x3))))))
            (local.set $y
              (f32x4.mul
                (v128.load32_splat offset=4
                  (i32.add (local.get $scales) (i32.shl (local.get $row) (i32.const 2))))
                (f32x4.convert_i32x4_s
                  (i32x4.add
                    (v128.load offset=16 (local.get $state))
                    (call $sums (local.get $y0) (local.get $y1) (local.get $y2) (local.get $y3))))))
            (local.set $hitX
              (i32x4.bitmask (f32x4.ge (local.get $x) (v128.load (local.get $state)))))
            (local.set $hitY
              (i32x4.bitmask (f32x4.ge (local.get $y) (v128.load (local.get $state)))))
            (if (i32.or (local.get $hitX) (local.get $hitY))
              (then
                (if
                  (v128.any_true
                    (i32x4.gt_s
                      (v128.load offset=32 (local.get $state))
                      (i32x4.splat (i32.sub (local.get $full) (i32.const 2)))))
                  (then (return (local.get $row))))
                (if (i32.load8_u (i32.add (local.get $mask) (local.get $row)))
                  (then
                    (call $take (local.get $state) (local.get $capacity)
                      (i32.add (local.get $firstSlot) (local.get $row))
                      (local.get $x) (local.get $hitX))))
                (if (i32.load8_u offset=1 (i32.add (local.get $mask) (local.get $row)))
                  (then
                    (call $take (local.get $state) (local.get $capacity)
                      (i32.add (i32.add (local.get $firstSlot) (local.get $row)) (i32.const 1))
                      (local.get $y) (local.get $hitY))))))))
        (local.set $row (i32.add (local.get $row) (i32.const 2)))
        (br $pairs)))
    (local.get $end))

  ;; Exact dot products of one float32 query with rows given by address, four at a time so that their
  ;; cache misses overlap: `count` is rounded up to four, and addresses must be valid up to there.
  (func (export "rescore")
    (param $query i32) (param $rowBytes i32) (param $addresses i32) (param $count i32) (param $scores i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $offset i32) (local $q v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $fours
      (if (i32.gt_s (local.get $count) (i32.const 0))
        (then
          (local.set $r0 (i32.load (local.get $addresses)))
          (local.set $r1 (i32.load offset=4 (local.get $addresses)))
          (local.set $r2 (i32.load offset=8 (local.get $addresses)))
          (local.set $r3 (i32.load offset=12 (local.get $addresses)))
          (local.set $offset (i32.const 0))
          (local.set $a (v128.const f32x4 0 0 0 0)) (local.set $b (v128.const f32x4 0 0 0 0))
          (local.set $c (v128.const f32x4 0 0 0 0)) (local.set $d (v128.const f32x4 0 0 0 0))
          (loop $chunks
            (local.set $q (v128.load (i32.add (local.get $query) (local.get $offset))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $q)
              (v128.load (i32.add (local.get $r0) (local.get $offset))))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $q)
              (v128.load (i32.add (local.get $r1) (local.get $offset))))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $q)
              (v128.load (i32.add (local.get $r2) (local.get $offset))))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $q)
              (v128.load (i32.add (local.get $r3) (local.get $offset))))))
            (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
            (br_if $chunks (i32.lt_u (local.get $offset) (local.get $rowBytes))))
          (f32.store (local.get $scores) (call $total (local.get $a)))
          (f32.store offset=4 (local.get $scores) (call $total (local.get $b)))
          (f32.store offset=8 (local.get $scores) (call $total (local.get $c)))
          (f32.store offset=12 (local.get $scores) (call $total (local.get $d)))
          (local.set $addresses (i32.add (local.get $addresses) (i32.const 16)))
          (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
          (local.set $count (i32.sub (local.get $count) (i32.const 4)))
          (br $fours)))))

  (func $total (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; Quantises a row of float32 values (floatRowBytes, a multiple of 64) to 7 bits around 64 and stores the
  ;; factor that turns the levels back: the largest magnitude becomes 63 levels.
  (func (export "quantise")
    (param $floats i32) (param $floatRowBytes i32) (param $row i32) (param $scale i32)
    (local $offset i32) (local $most v128) (local $largest f32) (local $levels v128) (local $zero v128)
    (local.set $most (v128.const f32x4 0 0 0 0))
    (loop $search
      (local.set $most
        (f32x4.max
          (local.get $most)
          (f32x4.abs (v128.load (i32.add (local.get $floats) (local.get $offset))))))
      (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
      (br_if $search (i32.lt_u (local.get $offset) (local.get $floatRowBytes))))
    (local.set $largest
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    (f32.store (local.get $scale) (f32.div (local.get $largest) (f32.const 63)))
    (local.set $levels
      (f32x4.splat
        (select
          (f32.div (f32.const 63) (local.get $largest))
          (f32.const 0)
          (f32.gt (local.get $largest) (f32.const 0)))))
    (local.set $zero (f32x4.splat (f32.const 64)))
    (local.set $offset (i32.const 0))
    (loop $chunks
      (v128.store (local.get $row)
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_s
            (call $level (local.get $floats) (i32.const 0) (local.get $levels) (local.get $zero))
            (call $level (local.get $floats) (i32.const 16) (local.get $levels) (local.get $zero)))
          (i16x8.narrow_i32x4_s
            (call $level (local.get $floats) (i32.const 32) (local.get $levels) (local.get $zero))
            (call $level (local.get $floats) (i32.const 48) (local.get $levels) (local.get $zero)))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $floats (i32.add (local.get $floats) (i32.const 64)))
      (local.set $offset (i32.add (local.get $offset) (i32.const 64)))
      (br_if $chunks (i32.lt_u (local.get $offset) (local.get $floatRowBytes)))))

  (func $level (param $floats i32) (param $offset i32) (param $levels v128) (param $zero v128) (result v128)
    (i32x4.trunc_sat_f32x4_s
      (f32x4.nearest
        (f32x4.add
          (local.get $zero)
          (f32x4.mul
            (local.get $levels)
            (v128.load (i32.add (local.get $floats) (local.get $offset))))))))

  ;; Mask bytes of `count` rows: allowed[facet] where after < published <= before, else 0.
  (func (export "filter")
    (param $facets i32) (param $published i32) (param $count i32) (param $allowed i32)
    (param $after f64) (param $before f64) (param $mask i32)
    (local $time f64)
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $time (f64.load (local.get $published)))
        (i32.store8 (local.get $mask)
          (i32.and
            (i32.load8_u (i32.add (local.get $allowed) (i32.load (local.get $facets))))
            (i32.and
              (f64.gt (local.get $time) (local.get $after))
              (f64.le (local.get $time) (local.get $before)))))
        (local.set $facets (i32.add (local.get $facets) (i32.const 4)))
        (local.set $published (i32.add (local.get $published) (i32.const 8)))
        (local.set $mask (i32.add (local.get $mask) (i32.const 1)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows))))

  ;; accumulator + a . b by four adjacent bytes a lane. a: -127..127, b: 0..127.
  (func $dot (param $a v128) (param $b v128) (param $accumulator v128) (result v128)
    (i32x4.relaxed_dot_i8x16_i7x16_add_s
      (local.get $a) (local.get $b) (local.get $accumulator))))
