import type { Tone } from "./notice.tsx";

interface ProgressProps {
  readonly label: string;
  /** 0 to 1; more than 1 is shown as full. */
  readonly share: number;
  /** The share in words or numbers, shown beside the bar. */
  readonly text: string;
  readonly tone?: Tone;
}

/** How far something is: a job, or a month's use of a plan. */
export function Progress({ label, share, text, tone = "plain" }: ProgressProps) {
  const percent = Math.min(100, Math.max(0, share * 100));
  return (
    <div class="progress">
      <div class="progress-text">
        <span>{label}</span>
        <span>{text}</span>
      </div>
      <div
        class={`bar ${tone}`}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={text}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
