import { HEIGHT_PX, WIDTH_PX, circle, ellipse, group, line, path, rect, repeat } from "./scene.ts";
import type { Brush, Scene } from "./scene.ts";

/** Leaves are green whatever the publisher's colours. */
const LEAVES = ["#1f5d43", "#2f7d54", "#4a9a62", "#6fb06a"];

/** A plain wall lit from one corner, with two large soft shapes, for still lifes. */
function backdrop(brush: Brush, from: string, to: string): string {
  const { random, pale } = brush;
  return (
    `<defs><linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/>` +
    `<stop offset="1" stop-color="${to}"/></linearGradient></defs>` +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#wall)") +
    circle(
      random.integer(0, 400),
      random.integer(0, 250),
      random.integer(190, 320),
      pale,
      'opacity="0.14"',
    ) +
    circle(
      random.integer(800, 1200),
      random.integer(400, 675),
      random.integer(190, 340),
      pale,
      'opacity="0.12"',
    )
  );
}

export const plate: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const x = 600 + random.integer(-90, 90);
  const y = 350;
  const food = repeat(random.integer(10, 16), () => {
    const angle = random.next() * Math.PI * 2;
    const reach = Math.sqrt(random.next()) * 130;
    const at = `translate(${Math.round(x + Math.cos(angle) * reach)} ${Math.round(y + Math.sin(angle) * reach)})`;
    const turn = ` rotate(${random.integer(0, 359)})`;
    const tone = random.pick([accent, bright, mid, deep, "#5b9a4b"]);
    return group(
      at + turn,
      random.pick([
        ellipse(0, 0, 72, 34, tone) + ellipse(-12, -9, 36, 9, pale, 'opacity="0.35"'),
        circle(0, 0, 48, tone) + circle(0, 0, 32, pale, 'opacity="0.45"'),
        path("M -74 0 Q 0 -70 74 0 Q 0 70 -74 0 Z", tone) +
          line("M -64 0 L 64 0", pale, 3, 'opacity="0.6"'),
        rect(-48, -24, 96, 48, tone, 'rx="10"'),
      ]),
    );
  });
  const sticks =
    random.next() < 0.55
      ? group(
          `translate(${x + 330} 120) rotate(8)`,
          rect(0, 0, 13, 440, dark, 'rx="6"') + rect(30, 6, 13, 434, dark, 'rx="6"'),
        )
      : group(
          `translate(${x + 330} 130)`,
          rect(0, 90, 16, 340, pale, 'rx="8"') +
            path(
              "M -20 0 L -20 90 Q 8 130 36 90 L 36 0 L 24 0 L 24 76 L 14 76 L 14 0 L 2 0 L 2 76 L -8 76 L -8 0 Z",
              pale,
            ),
        );
  const cup =
    circle(x - 420, 210, 92, pale) +
    circle(x - 420, 210, 74, deep) +
    ellipse(x - 436, 194, 30, 16, bright, 'opacity="0.5"');
  const weave = repeat(17, (i) => rect(0, i * 42, WIDTH_PX, 16, dark, 'opacity="0.06"'));
  return (
    backdrop(brush, bright, mid) +
    weave +
    ellipse(x + 14, y + 30, 268, 256, dark, 'opacity="0.25"') +
    circle(x, y, 262, pale) +
    circle(x, y, 206, "#ffffff", 'opacity="0.75"') +
    circle(x, y, 206, "none", `stroke="${accent}" stroke-width="5" opacity="0.5"`) +
    food +
    repeat(16, () =>
      circle(
        x + random.integer(-120, 120),
        y + random.integer(-120, 120),
        6,
        random.pick([accent, dark]),
      ),
    ) +
    sticks +
    cup
  );
};

export const device: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const screen = (w: number, h: number): string =>
    rect(0, 0, w, h, deep) +
    circle(w * 0.72, h * 0.3, h * 0.3, accent, 'opacity="0.9"') +
    circle(w * 0.3, h * 0.75, h * 0.34, bright, 'opacity="0.75"') +
    repeat(4, (i) =>
      rect(
        w * 0.1,
        h * (0.14 + i * 0.11),
        w * (0.25 + random.next() * 0.3),
        h * 0.045,
        pale,
        'rx="5" opacity="0.85"',
      ),
    );
  const framed = (x: number, y: number, w: number, h: number, rim: number): string =>
    rect(x + 16, y + 24, w, h, dark, 'rx="30" opacity="0.25"') +
    rect(x, y, w, h, dark, 'rx="30"') +
    group(
      `translate(${x + rim} ${y + rim})`,
      `<svg width="${w - 2 * rim}" height="${h - 2 * rim}">${screen(w - 2 * rim, h - 2 * rim)}</svg>`,
    );
  const laptop =
    framed(310, 120, 580, 370, 20) +
    path("M 250 490 L 950 490 L 1010 545 L 190 545 Z", pale) +
    rect(190, 545, 820, 14, mid, 'rx="7"');
  const phones =
    group("rotate(-9 480 340)", framed(370, 70, 255, 520, 16)) +
    group("rotate(7 760 350)", framed(640, 110, 250, 500, 16));
  const watch =
    rect(520, 10, 160, 655, dark, 'rx="46"') +
    rect(538, 10, 124, 655, mid, 'rx="36" opacity="0.6"') +
    framed(450, 190, 300, 300, 24) +
    rect(752, 300, 22, 70, dark, 'rx="9"');
  const earphones =
    rect(390, 240, 420, 270, pale, 'rx="120"') +
    rect(390, 240, 420, 110, dark, 'rx="55" opacity="0.14"') +
    [520, 680]
      .map(
        (x) =>
          circle(x, 330, 54, dark) +
          rect(x - 18, 340, 36, 120, dark, 'rx="18"') +
          circle(x - 14, 316, 16, bright),
      )
      .join("");
  return (
    backdrop(brush, pale, bright) +
    rect(0, 560, WIDTH_PX, 115, mid, 'opacity="0.55"') +
    random.pick([laptop, phones, watch, earphones])
  );
};

export const film: Scene = (brush) => {
  const { random, dark, deep, bright, pale, accent } = brush;
  const reel = (x: number, y: number, r: number): string =>
    circle(x + 10, y + 14, r, dark, 'opacity="0.4"') +
    circle(x, y, r, pale) +
    circle(x, y, r * 0.9, dark) +
    repeat(6, (i) => {
      const angle = (i * Math.PI) / 3 + random.next() * 0.02;
      return circle(
        x + Math.cos(angle) * r * 0.55,
        y + Math.sin(angle) * r * 0.55,
        r * 0.22,
        bright,
      );
    }) +
    circle(x, y, r * 0.16, accent);
  const frames = repeat(9, (i) => {
    const x = -40 + i * 150;
    return (
      rect(x, 26, 128, 98, random.pick([bright, accent, deep, pale]), 'rx="8"') +
      rect(x + 20, 6, 22, 13, pale, 'rx="3"') +
      rect(x + 84, 6, 22, 13, pale, 'rx="3"') +
      rect(x + 20, 131, 22, 13, pale, 'rx="3"') +
      rect(x + 84, 131, 22, 13, pale, 'rx="3"')
    );
  });
  const x = random.integer(330, 480);
  const beam = path(`M ${x} 250 L 1280 20 L 1280 620 Z`, pale, 'opacity="0.16"');
  const seats = repeat(
    13,
    (i) =>
      rect(i * 98 - 30, 620, 86, 90, dark, 'rx="24"') +
      circle(i * 98 + 14, 604, random.pick([0, 0, 30, 33]), dark),
  );
  const tilt = random.integer(-9, 9);
  return (
    backdrop(brush, deep, dark) +
    beam +
    reel(x, 250, random.integer(150, 185)) +
    reel(x + 330, 220, random.integer(105, 130)) +
    group(
      `translate(-40 430) rotate(${tilt} 600 75)`,
      rect(-100, 0, 1500, 150, "#0d0d12") + frames,
    ) +
    seats
  );
};

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
      out += `<g${lean}>${rect(x, y - h, w, h, tone, 'rx="4"')}${rect(x, y - h + 26, w, 9, dark, 'opacity="0.35"')}${rect(x + w / 2 - 5, y - h + 60, 10, h - 120, tone === pale ? dark : pale, 'opacity="0.5" rx="5"')}</g>`;
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
