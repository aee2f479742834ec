/**
 * The most formats that a cache keeps. Paydesk uses about twenty, and a few more for each time zone
 * of its users.
 */
const maxCachedFormats = 200

/** Creating a format takes 100 times as long as using it. A full cache drops the oldest format. */
function cacheFormats<Options extends object, Format>(
  make: (locale: string, options: Options) => Format,
) {
  const formatByKey = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const cacheKey = `${locale} ${JSON.stringify(options)}`
    const cachedFormat = formatByKey.get(cacheKey)
    if (cachedFormat) return cachedFormat
    const newFormat = make(locale, options)
    const [oldest] = formatByKey.keys()
    if (oldest !== undefined && formatByKey.size >= maxCachedFormats) formatByKey.delete(oldest)
    formatByKey.set(cacheKey, newFormat)
    return newFormat
  }
}

/** Throws RangeError for an unknown time zone, and caches nothing then. */
export const getDateFormat = cacheFormats(
  (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

export const getNumberFormat = cacheFormats(
  (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

export function toCanonicalTimeZone(zoneName: string): string | null {
  try {
    return getDateFormat('en-US', { timeZone: zoneName }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Not cached: the time zone can change while a page is open. */
export const getLocalTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for a UUID in lower case, as the service writes them. Convert input to lower case first. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const kilobytes = Math.round(bytes / 1024)
  if (kilobytes < 1024) return `${kilobytes} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export const capitalizeFirst = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1)
