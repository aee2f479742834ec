import 'server-only'

/** Seconds the service asks us to wait, from seconds or a date; undefined when it does not say. Never more than an hour. */
export function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined
}

/** Seconds as a sentence says them, rounded up to minutes where they are many. */
export function inWords(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
