import { backdrop, WIDTH_PX, circle, ellipse, group, line, path, rect, repeat } from "./scene.ts";
import type { Scene } from "./scene.ts";

const FORK_HEAD =
  "M -20 0 L -20 90 Q 8 130 36 90 L 36 0 L 24 0 L 24 76 L 14 76 " +
  "L 14 0 L 2 0 L 2 76 L -8 76 L -8 0 Z";

export const plate: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const x = 600 + random.integer(-90, 90);
  const y = 350;
  const food = repeat(random.integer(10, 16), () => {
    const angle = random.next() * Math.PI * 2;
    const reach = Math.sqrt(random.next()) * 130;
    const fx = Math.round(x + Math.cos(angle) * reach);
    const fy = Math.round(y + Math.sin(angle) * reach);
    const at = `translate(${fx} ${fy})`;
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
          rect(0, 90, 16, 340, pale, 'rx="8"') + path(FORK_HEAD, pale),
        );
  const cup =
    circle(x - 420, 210, 92, pale) +
    circle(x - 420, 210, 74, deep) +
    ellipse(x - 436, 194, 30, 16, bright, 'opacity="0.5"');
  const cloth = random.pick<readonly [string, string]>([
    [bright, mid],
    [pale, bright],
    [mid, deep],
    [deep, dark],
  ]);
  const weave = repeat(17, (i) => rect(0, i * 42, WIDTH_PX, 16, dark, 'opacity="0.06"'));
  return (
    backdrop(brush, ...cloth) +
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
