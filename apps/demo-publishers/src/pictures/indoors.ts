import { backdrop, WIDTH_PX, circle, ellipse, group, line, path, rect, repeat } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** Leaves are green whatever the publisher's colours. */
const LEAVES = ["#1f5d43", "#2f7d54", "#4a9a62", "#6fb06a"];

export const book: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const tones = [deep, mid, bright, accent, pale];
  const shelf = (y: number): string => {
    let x = -10;
    let out = "";
    while (x < WIDTH_PX) {
      const w = random.integer(34, 74);
      const h = random.integer(170, 250);
      const tone = random.pick(tones);
      const lean = random.next() < 0.08 ? ` transform="rotate(-9 ${x} ${y})"` : "";
      const ink = tone === pale ? dark : pale;
      const spine =
        rect(x, y - h, w, h, tone, 'rx="4"') +
        rect(x, y - h + 26, w, 9, dark, 'opacity="0.35"') +
        rect(x + w / 2 - 5, y - h + 60, 10, h - 120, ink, 'opacity="0.5" rx="5"');
      out += `<g${lean}>${spine}</g>`;
      x += w + 4;
    }
    return out + rect(0, y, WIDTH_PX, 22, dark);
  };
  const open =
    ellipse(600, 610, 400, 34, dark, 'opacity="0.4"') +
    path("M 600 590 Q 430 520 250 568 L 250 310 Q 430 262 600 330 Z", pale) +
    path("M 600 590 Q 770 520 950 568 L 950 310 Q 770 262 600 330 Z", "#ffffff") +
    repeat(6, (i) =>
      line(
        `M 300 ${360 + i * 31} Q 430 ${328 + i * 31} 560 ${372 + i * 31}`,
        mid,
        6,
        'opacity="0.55"',
      ),
    ) +
    repeat(6, (i) =>
      line(
        `M 640 ${372 + i * 31} Q 770 ${328 + i * 31} ${random.integer(820, 900)} ${352 + i * 31}`,
        mid,
        6,
        'opacity="0.55"',
      ),
    ) +
    path("M 800 300 L 840 300 L 840 430 L 820 410 L 800 430 Z", accent);
  const wall = backdrop(brush, deep, dark) + shelf(250);
  return random.next() < 0.5 ? wall + shelf(540) + rect(0, 562, WIDTH_PX, 113, deep) : wall + open;
};

export const plant: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const leaf = (x: number, y: number, size: number, turn: number, tone: string): string =>
    group(
      `translate(${x} ${y}) rotate(${turn}) scale(${size})`,
      path("M 0 0 Q 46 -50 0 -130 Q -46 -50 0 0 Z", tone) +
        line("M 0 -6 L 0 -116", pale, 2.5, 'opacity="0.5"'),
    );
  const stem = (x: number): string => {
    const lean = random.integer(-50, 50);
    const height = random.integer(230, 360);
    const leaves = repeat(7, (i) => {
      const t = (i + 1) / 7.5;
      return leaf(
        Math.round(x + lean * t * t),
        Math.round(520 - height * t),
        0.55 + random.next() * 0.45,
        (i % 2 ? 1 : -1) * random.integer(38, 78),
        random.pick(LEAVES),
      );
    });
    const bloom = repeat(8, (i) =>
      group(
        `translate(${x + lean} ${520 - height}) rotate(${i * 45})`,
        ellipse(0, -34, 17, 32, accent),
      ),
    );
    return (
      line(`M ${x} 520 Q ${x} ${520 - height / 2} ${x + lean} ${520 - height}`, dark, 8) +
      leaves +
      (random.next() < 0.6
        ? bloom + circle(x + lean, 520 - height, 20, pale)
        : leaf(x + lean, 530 - height, 0.9, lean / 3, random.pick(LEAVES)))
    );
  };
  const pots = random.integer(2, 4);
  const gap = WIDTH_PX / (pots + 1);
  return (
    backdrop(brush, pale, bright) +
    rect(0, 590, WIDTH_PX, 85, mid, 'opacity="0.7"') +
    repeat(pots, (i) => {
      const x = Math.round(gap * (i + 1)) + random.integer(-30, 30);
      const tone = random.pick([accent, dark, deep]);
      return (
        stem(x) +
        path(`M ${x - 84} 500 L ${x + 84} 500 L ${x + 62} 640 L ${x - 62} 640 Z`, tone) +
        rect(x - 94, 486, 188, 34, tone, 'rx="8"') +
        rect(x - 94, 512, 188, 10, dark, 'opacity="0.2"')
      );
    })
  );
};
