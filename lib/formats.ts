/** Maximum cached formats. Paydesk has about twenty, plus a few per time zone of its users. */
const mostKept = 200

/** Creating a format costs about a hundred uses of it, so formats are cached. The oldest is evicted at the limit. */
function keeping<Options extends object, Format>(make: (locale: string, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const name = `${locale} ${JSON.stringify(options)}`
    const cachedFormat = formats.get(name)
    if (cachedFormat) return cachedFormat
    const newFormat = make(locale, options)
    const [oldest] = formats.keys()
    if (oldest !== undefined && formats.size >= mostKept) formats.delete(oldest)
    formats.set(name, newFormat)
    return newFormat
  }
}

/** A cached date format. Throws RangeError for an unknown time zone, which is not cached. */
export const dateFormat = keeping((locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))

export const numberFormat = keeping((locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

/** The canonical name of a time zone; null if it does not exist. */
export function zoneNamed(word: string): string | null {
  try {
    return dateFormat('en-US', { timeZone: word }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The time zone of this machine, which can change while a page is open. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for a lowercase UUID, as the service writes them. Convert external input to lowercase first. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** Formats a file size: `640 bytes`, `83 kB`, `9.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
