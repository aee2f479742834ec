import { expect } from 'vitest'
import { postJson } from './deletions'
import { signIn } from './person'

/** Decides the unknown outcome of an action as two demo admins who agree. Neither of them may have sent the action. */
export async function decideAsTwoAdmins(deskUrl: string, id: string, outcome: 'applied' | 'refused'): Promise<void> {
  const evidence = 'The provider answered in writing what had become of it.'
  for (const email of ['admin@paydesk.test', 'admin2@paydesk.test'] as const) {
    const person = await signIn(deskUrl, email)
    expect((await postJson(person, `/api/sandbox/desk/actions/${id}/decision`, { outcome, evidence })).status).toBe(200)
  }
}
