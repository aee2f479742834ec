import 'server-only'
import { AppError } from '@/lib/errors'
import { reason } from '@/lib/operations/reason.schema'

const refuse = (detail: string) => new AppError('invalid_input', `reason: ${detail}`, { items: [{ reference: 'reason', detail }] })

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refuse('Action-Reason must be percent-encoded UTF-8')
  }
}

/** The reason that stays with us, from the `Action-Reason` header. Throws `invalid_input` naming `reason` and the fix. */
export function keptReason(request: Request): string {
  const parsed = reason.safeParse(decoded(request.headers.get('action-reason') ?? ''))
  if (parsed.success) return parsed.data
  throw refuse(request.headers.has('action-reason') ? (parsed.error.issues[0]?.message ?? 'is not a reason') : 'say why, in Action-Reason')
}
