import { expect } from 'vitest'
import { postJson } from './deletions'
import { signIn } from './person'

/**
 * Settles an action with an unknown outcome: two demo admins state the same outcome. Neither of
 * them may have sent the action.
 */
export async function decideAsTwoAdmins(
  deskUrl: string,
  actionId: string,
  outcome: 'applied' | 'refused',
): Promise<void> {
  const evidence = 'The provider answered in writing what had become of it.'
  for (const email of ['admin@paydesk.test', 'admin2@paydesk.test'] as const) {
    const person = await signIn(deskUrl, email)
    expect(
      (
        await postJson(person, `/api/sandbox/desk/actions/${actionId}/decision`, {
          outcome,
          evidence,
        })
      ).status,
    ).toBe(200)
  }
}
