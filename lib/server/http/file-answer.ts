import 'server-only'

type File = { name: string; type: string; requestId: string }

/** An answer that is saved as a file, kept by nobody on its way. */
export const fileAnswer = (body: BodyInit, { name, type, requestId }: File, more: Record<string, string> = {}): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'request-id': requestId,
      ...more,
    },
  })
