import type { Role } from '@/lib/operations/define'
import { type OperationId, rowOf } from '@/lib/operations/rows'

const article = (role: Role) => (/^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`)

/** Roles as a person would list them: `an operator`, `an operator or an admin`, `an operator, a reviewer or an admin`. */
export function rolesText(roles: readonly Role[]): string {
  const named = roles.map(article)
  const last = named.pop() ?? 'nobody'
  return named.length > 0 ? `${named.join(', ')} or ${last}` : last
}

/** Why roles do not allow an operation, as a sentence; null when one of them does. The table is each operation's `allow`. */
export function whyNotAllowed(held: readonly Role[], operation: OperationId): string | null {
  const row = rowOf(operation)
  return row.allow.some((role) => held.includes(role)) ? null : `Only ${rolesText(row.allow)} can ${row.does}.`
}
