import 'server-only'

type FileDetails = { name: string; type: string; requestId: string }

/** Returns a response that the browser saves as a file and that no cache may store. */
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
