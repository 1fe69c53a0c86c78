// Round numbers along an axis.

export function roundStep(span: number, count: number): number {
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [];
  const step = roundStep(high - low, count);
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found;
}

export function tickText(value: number, step: number): string {
  const digits = Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
  return (Math.abs(value) < step / 1e3 ? 0 : value).toFixed(digits).replace("-", "−");
}
