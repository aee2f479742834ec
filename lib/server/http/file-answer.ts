import 'server-only'

type FileDetails = {
  name: string
  type: string
  requestId: string
  /** `inline`: a browser may show the file. By default, it saves it. */
  disposition?: 'inline' | 'attachment'
}

/** Names with other characters than plain ASCII are sent in the form of RFC 5987 too. */
export function toContentDisposition(disposition: string, name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const extendedName = asciiName === name ? '' : `; filename*=UTF-8''${encodedName}`
  return `${disposition}; filename="${asciiName}"${extendedName}`
}

/** No cache may store the file. */
export const createFileResponse = (
  body: BodyInit,
  { name, type, requestId, disposition = 'attachment' }: FileDetails,
  extraHeaders: Record<string, string> = {},
): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': toContentDisposition(disposition, name),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'request-id': requestId,
      ...extraHeaders,
    },
  })
