/** An error code of Paydesk as text. Null if the request had no error. */
export function formatErrorCode(code: string): string
export function formatErrorCode(code: string | null): string | null
export function formatErrorCode(code: string | null): string | null {
  if (code === 'step_up_needed') return 'not sent: sign-in not confirmed'
  return code?.replaceAll('_', ' ') ?? null
}
