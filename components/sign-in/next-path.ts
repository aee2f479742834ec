/** Where to go after signing in: only a path of our own, that is one beginning with a single slash and holding no backslash; else the start page. */
export function nextPath(value: string | string[] | undefined): string {
  const path = typeof value === 'string' ? value : '/'
  const ours = path.startsWith('/') && !path.startsWith('//') && !path.includes('\\') && !hasControlCharacter(path)
  return ours && path.length <= 2000 ? path : '/'
}

/** Browsers drop tabs and line ends inside an address, which could turn `/` + tab + `/host` into another site. */
const hasControlCharacter = (path: string) => [...path].some((character) => character.charCodeAt(0) < 32)
