/** Formats of one kind kept at most. The desk's own are some twenty, and every zone a person reads in adds a handful. */
const mostKept = 200

/** Making a format costs as much as using it a hundred times, so each is made once; beyond the bound the oldest is let go. */
function keeping<Options extends object, Format>(make: (locale: string, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const name = `${locale} ${JSON.stringify(options)}`
    const known = formats.get(name)
    if (known) return known
    const made = make(locale, options)
    const [oldest] = formats.keys()
    if (oldest !== undefined && formats.size >= mostKept) formats.delete(oldest)
    formats.set(name, made)
    return made
  }
}

/** How moments are written. Throws RangeError for a zone that does not exist, of which nothing is kept. */
export const dateFormat = keeping((locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))

export const numberFormat = keeping((locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

/** The name of a time zone as it is written; null where there is no such zone. */
export function zoneNamed(word: string): string | null {
  try {
    return dateFormat('en-US', { timeZone: word }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The zone of this machine's clock, which may change while a page is open. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID as the service writes them: in small letters. One from outside is put into small letters first. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** A size people read: `640 bytes`, `83 kB`, `9.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
