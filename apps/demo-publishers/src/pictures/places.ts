import {
  gradient,
  HEIGHT_PX,
  WIDTH_PX,
  circle,
  ellipse,
  group,
  line,
  path,
  rect,
  repeat,
} from "./scene.ts";
import type { Brush, Scene } from "./scene.ts";

/** A sky from top to bottom with a sun or moon somewhere in its upper half. */
function sky(brush: Brush, top: string, bottom: string): string {
  const x = brush.random.integer(180, 1020);
  const y = brush.random.integer(110, 260);
  const r = brush.random.integer(45, 95);
  return (
    gradient("sky", top, bottom) +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#sky)") +
    circle(x, y, r * 1.9, brush.pale, 'opacity="0.12"') +
    circle(x, y, r * 1.4, brush.pale, 'opacity="0.18"') +
    circle(x, y, r, brush.pale, 'opacity="0.92"')
  );
}

/** A jagged or rolling ridge across the canvas, `height` above `base`. */
function ridge(brush: Brush, base: number, height: number, steps: number, fill: string): string {
  const { random } = brush;
  const width = WIDTH_PX / steps;
  const peaks = repeat(steps + 1, (index) => {
    const y = base - (index % 2 === 0 ? 0.25 : 1) * height * (0.6 + random.next() * 0.5);
    return ` L ${Math.round(index * width + (random.next() - 0.5) * width * 0.4)} ${Math.round(y)}`;
  });
  return path(
    `M -80 ${HEIGHT_PX} L -80 ${base}${peaks} L 1280 ${base} L 1280 ${HEIGHT_PX} Z`,
    fill,
  );
}

export const stadium: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const tilt = random.integer(-60, 60);
  const centre = 600 + tilt;
  const lamp = (x: number): string =>
    path(`M ${x} 120 L ${x - 330} 675 L ${x + 330} 675 Z`, pale, 'opacity="0.09"') +
    rect(x - 7, 120, 14, 270, dark) +
    rect(x - 62, 78, 124, 62, dark, 'rx="8"') +
    repeat(8, (i) => circle(x - 45 + (i % 4) * 30, 95 + Math.floor(i / 4) * 28, 10, pale));
  const crowd = repeat(420, () => {
    const angle = Math.PI + random.next() * Math.PI;
    const reach = 1 + random.next() * 0.28;
    const x = centre + Math.cos(angle) * 660 * reach;
    const y = 470 + Math.sin(angle) * 190 * reach;
    return circle(
      Math.round(x),
      Math.round(y),
      5,
      random.pick([pale, bright, accent, mid]),
      'opacity="0.8"',
    );
  });
  const diamond = random.next() < 0.5;
  const field = diamond
    ? path(
        `M ${centre} 650 L ${centre + 260} 520 L ${centre} 410 L ${centre - 260} 520 Z`,
        accent,
      ) +
      path(`M ${centre} 605 L ${centre + 150} 522 L ${centre} 452 L ${centre - 150} 522 Z`, mid) +
      ellipse(centre, 522, 30, 12, accent) +
      repeat(4, (i) => {
        const x = [centre, centre + 190, centre, centre - 190][i] ?? 0;
        return ellipse(x, [626, 521, 434, 521][i] ?? 0, 15, 8, pale);
      })
    : line(`M ${centre} 360 L ${centre} 675 M -40 520 L 1240 520`, pale, 5, 'opacity="0.85"') +
      ellipse(centre, 520, 150, 62, "none", `stroke="${pale}" stroke-width="5"`) +
      circle(centre + random.integer(-120, 120), 560, 26, pale) +
      line(
        "M -20 420 L 170 420 L 170 640 L -20 640 M 1220 420 L 1030 420 L 1030 640 L 1220 640",
        pale,
        5,
      );
  return (
    sky(brush, dark, deep) +
    ellipse(centre, 470, 880, 260, dark) +
    crowd +
    ellipse(centre, 545, 690, 205, mid) +
    repeat(6, (i) =>
      ellipse(centre, 545, 690 - i * 115, 205 - i * 34, i % 2 ? mid : bright, 'opacity="0.35"'),
    ) +
    field +
    lamp(random.integer(110, 240)) +
    lamp(random.integer(960, 1090))
  );
};

export const skyline: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const row = (base: number, tall: number, fill: string, lit: boolean): string => {
    let x = -20;
    let out = "";
    while (x < WIDTH_PX) {
      const w = random.integer(60, 135);
      const h = Math.round(tall * (0.45 + random.next() * 0.55));
      out += rect(x, base - h, w, HEIGHT_PX - base + h, fill, 'rx="3"');
      if (random.next() < 0.25) out += rect(x + w / 2 - 3, base - h - 46, 6, 46, fill);
      if (lit) {
        for (let wy = base - h + 18; wy < 640; wy += 30) {
          for (let wx = x + 13; wx < x + w - 20; wx += 24) {
            if (random.next() < 0.52)
              out += rect(wx, wy, 12, 16, random.pick([accent, pale]), 'opacity="0.85"');
          }
        }
      }
      x += w + random.integer(0, 10);
    }
    return out;
  };
  const tower = random.integer(240, 960);
  const spire = path(
    `M ${tower - 74} 600 L ${tower - 15} 240 L ${tower} 90 L ${tower + 15} 240 L ${tower + 74} 600 Z`,
    accent,
  );
  return (
    sky(
      brush,
      ...random.pick<readonly [string, string]>([
        [deep, bright],
        [dark, mid],
        [mid, pale],
      ]),
    ) +
    row(560, 330, mid, false) +
    (random.next() < 0.6 ? spire + rect(tower - 40, 330, 80, 20, pale, 'rx="6"') : "") +
    row(640, 330, dark, true) +
    rect(0, 640, WIDTH_PX, 35, dark)
  );
};

export const train: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const cars = random.integer(3, 4);
  const front = random.integer(130, 240);
  const body = repeat(cars, (index) => {
    const x = front + index * 300;
    const nose =
      index === 0
        ? `M ${x + 292} 330 L ${x + 60} 330 Q ${x - 20} 340 ${x - 70} 480 L ${x - 70} 520 L ${x + 292} 520 Z`
        : `M ${x} 330 L ${x + 292} 330 L ${x + 292} 520 L ${x} 520 Z`;
    const windows = repeat(index === 0 ? 3 : 4, (i) =>
      rect(x + (index === 0 ? 84 : 18) + i * 68, 366, 50, 58, dark, 'rx="9"'),
    );
    const cab =
      index === 0
        ? path(`M ${x + 58} 366 L ${x + 10} 366 L ${x - 34} 436 L ${x + 58} 436 Z`, dark)
        : "";
    return (
      path(nose, pale) +
      windows +
      cab +
      rect(x - (index === 0 ? 70 : 0), 456, index === 0 ? 362 : 292, 22, accent)
    );
  });
  const poles = repeat(
    5,
    (i) => rect(60 + i * 270, 210, 10, 330, dark) + rect(10 + i * 270, 216, 110, 8, dark),
  );
  return (
    sky(
      brush,
      ...random.pick<readonly [string, string]>([
        [mid, pale],
        [bright, pale],
        [deep, mid],
      ]),
    ) +
    ridge(brush, 430, random.integer(120, 230), random.integer(6, 9), bright) +
    ridge(brush, 480, 110, random.integer(9, 14), mid) +
    poles +
    line("M 0 232 Q 300 256 600 232 T 1200 232", dark, 4) +
    body +
    rect(0, 520, WIDTH_PX, 18, dark) +
    rect(0, 538, WIDTH_PX, 137, deep) +
    repeat(14, (i) => rect(20 + i * 88, 560, 52, 115, dark, 'opacity="0.5"'))
  );
};

export const mountains: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const peak = random.integer(420, 800);
  const top = random.integer(170, 240);
  const snow = `M ${peak} ${top} L ${peak + 96} ${top + 106} L ${peak + 44} ${top + 84} L ${peak} ${top + 124}
    L ${peak - 46} ${top + 82} L ${peak - 96} ${top + 106} Z`;
  const trees = repeat(26, (i) => {
    const x = i * 48 + random.integer(-18, 18);
    const h = random.integer(60, 130);
    return path(`M ${x} ${620 - h} L ${x + 26} 640 L ${x - 26} 640 Z`, dark);
  });
  const lake = random.next() < 0.5;
  return (
    sky(
      brush,
      ...random.pick<readonly [string, string]>([
        [bright, pale],
        [deep, bright],
        [accent, pale],
      ]),
    ) +
    ridge(brush, 470, 180, random.integer(5, 7), mid) +
    path(`M ${peak} ${top} L ${peak + 400} 610 L ${peak - 400} 610 Z`, deep) +
    path(snow, pale) +
    ridge(brush, 580, 90, random.integer(7, 11), dark) +
    (lake
      ? rect(0, 560, WIDTH_PX, 115, bright) +
        repeat(18, () =>
          rect(
            random.integer(0, 1100),
            random.integer(575, 660),
            random.integer(40, 170),
            4,
            pale,
            'opacity="0.6"',
          ),
        )
      : rect(0, 600, WIDTH_PX, 75, dark) + trees) +
    line(`M ${random.integer(120, 300)} 150 q 22 -22 44 0 q 22 -22 44 0`, dark, 5)
  );
};

export const waves: Scene = (brush) => {
  const { random, dark, deep, mid, bright, pale, accent } = brush;
  const swell = (y: number, height: number, length: number, fill: string): string => {
    const shift = random.integer(-length, 0);
    const crests = repeat(
      Math.ceil(1500 / length),
      () => ` q ${length / 4} ${-height} ${length / 2} 0 t ${length / 2} 0`,
    );
    return path(`M ${shift} ${y}${crests} L 1500 ${HEIGHT_PX} L ${shift} ${HEIGHT_PX} Z`, fill);
  };
  const x = random.integer(300, 840);
  const boat =
    path(`M ${x - 110} 392 L ${x + 110} 392 L ${x + 74} 446 L ${x - 74} 446 Z`, dark) +
    path(`M ${x} 190 L ${x} 378 L ${x + 118} 378 Z`, pale) +
    path(`M ${x - 12} 226 L ${x - 12} 378 L ${x - 92} 378 Z`, accent);
  return (
    sky(
      brush,
      ...random.pick<readonly [string, string]>([
        [bright, pale],
        [deep, bright],
        [accent, pale],
      ]),
    ) +
    swell(410, random.integer(20, 40), 420, bright) +
    swell(440, 44, 360, mid) +
    (random.next() < 0.65 ? boat : group(`translate(${x} 330)`, windmill(brush))) +
    swell(470, 52, 300, mid) +
    swell(540, 60, 380, deep) +
    swell(610, 54, 320, dark)
  );
};

function windmill({ random, pale }: Brush): string {
  const turn = random.integer(0, 119);
  const blade = (angle: number): string =>
    group(`rotate(${turn + angle})`, path("M -7 0 L -3 -190 L 7 -120 L 9 0 Z", pale));
  return (
    path("M -7 -60 L 7 -60 L 13 190 L -13 190 Z", pale) +
    group("translate(0 -60)", [0, 120, 240].map(blade).join("") + circle(0, 0, 15, pale))
  );
}
