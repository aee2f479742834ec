import 'server-only'

/** Families of browser and operating system, from a fixed list. Nothing else of the `User-Agent` is stored. */
export type Agent = { browser: string; system: string }

/** The first match counts: every browser also names the browsers that it descends from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const findFamily = (families: typeof browsers, text: string) => families.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'

/** Returns the families in the `User-Agent` of a request. They prove nothing, because a client can send any text. */
export function parseAgent(headers: Headers): Agent {
  const text = (headers.get('user-agent') ?? '').slice(0, 1000)
  return { browser: findFamily(browsers, text), system: findFamily(systems, text) }
}
