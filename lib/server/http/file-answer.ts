import 'server-only'

type FileDetails = { name: string; type: string; requestId: string }

/** The browser saves the response as a file, and no cache may store it. */
export const createFileResponse = (
  body: BodyInit,
  { name, type, requestId }: FileDetails,
  extraHeaders: Record<string, string> = {},
): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'request-id': requestId,
      ...extraHeaders,
    },
  })
