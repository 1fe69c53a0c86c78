// Numbers as people read them; `general` and `fixed` write what Python's formats "g" and "f" do.

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}

export function general(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value === 0) return "0";
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${trimmed(mantissa)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  return trimmed(value.toFixed(digits - 1 - exponent));
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function whole(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A value in a field or on a wire: four digits, and no minus of nothing. */
export function brief(value: number, digits = 4): string {
  if (Math.abs(value) >= 1e300) return value > 0 ? "no limit" : "none";
  if (Math.abs(value) < 1e-12) return "0";
  if (Math.abs(value) >= 10 ** digits && Math.abs(value) < 1e7) return whole(value).replace("-", "−");
  return general(value, digits).replace("-", "−");
}

/** A value beside a plot: to about a thousandth of the span that it shows. */
export function onScale(value: number, span: number): string {
  const decimals = Math.max(Math.ceil(2.5 - Math.log10(span)), 0);
  if (!Number.isFinite(value) || !(decimals <= 12) || Math.abs(value) >= 1e7) return brief(value);
  const text = decimals ? trimmed(value.toFixed(decimals)) : whole(value);
  return text === "-0" ? "0" : text.replace("-", "−");
}

/** A value on a wire: what is next to nothing in units of everyday is nothing. */
export function terse(value: number, unit: string): string {
  const everyday = /^(m|m\/s|deg|deg\/s|rpm|N|N m|W|J|s|V|A)$/.test(unit);
  return everyday && Math.abs(value) < 5e-4 ? "0" : brief(value, 3);
}

export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}

/** A time in s, or in minutes and s where that is easier to grasp. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${general(seconds, 4)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${general(seconds - 60 * minutes, 3)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The length of a path, in km where it is a long one. */
export function way(length: number): string {
  return Math.abs(length) >= 1e4 ? `${general(length / 1000, 4)} km` : `${general(length, 4)} m`;
}

/** An energy in a unit that suits its size, and in watt hours. */
export function energy(joules: number): string {
  return `${scaled(joules, "J")} (${scaled(joules / 3600, "W h")})`;
}

/** With a prefix from a thousand on. */
function scaled(value: number, unit: string): string {
  const size = Math.abs(value);
  const scales: [number, string][] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const [scale, prefix] = scales.find(([least]) => size >= 0.9995 * least) ?? [1, ""];
  return `${general(value / scale, 3)} ${prefix}${unit}`;
}

/** A clock: s with a decimal, or minutes. */
export function clock(seconds: number): string {
  if (seconds < 600) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - 60 * minutes;
  return `${minutes}:${rest.toFixed(1).padStart(4, "0")} min`;
}
