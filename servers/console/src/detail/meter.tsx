interface MeterPart {
  readonly value: number;
  readonly tone: 'good' | 'busy' | 'bad' | 'over' | 'use';
}

interface MeterProps {
  /** Label for screen readers, without the numbers. */
  readonly label: string;
  readonly parts: readonly MeterPart[];
  readonly total: number;
}

/** Shows a share of a whole as a bar, next to the numbers. */
export function Meter({ label, parts, total }: MeterProps) {
  const sum = parts.reduce((all, { value }) => all + value, 0);
  const whole = Math.max(total, sum, 1e-9);
  return (
    <div
      class="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(parts[0]?.value ?? 0, total)}
    >
      {parts
        .filter(({ value }) => value > 0)
        .map(({ value, tone }) => (
          <div key={tone} class={`meter-part ${tone}`} style={{ width: `${(value / whole) * 100}%` }} />
        ))}
    </div>
  );
}
