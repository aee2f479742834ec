import 'server-only'

/** Names from a fixed list. Nothing else of the `User-Agent` is stored. */
export type UserAgentInfo = { browser: string; system: string }

/** The first match counts: most browsers name others too, as Edge names Chrome and Safari. */
const browserPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systemPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const findMatchingLabel = (families: typeof browserPatterns, userAgent: string) =>
  families.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other'

/** Proves nothing, because a client can send any text. */
export function parseUserAgent(headers: Headers): UserAgentInfo {
  const userAgentText = (headers.get('user-agent') ?? '').slice(0, 1000)
  return {
    browser: findMatchingLabel(browserPatterns, userAgentText),
    system: findMatchingLabel(systemPatterns, userAgentText),
  }
}
