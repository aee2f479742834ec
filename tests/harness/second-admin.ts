import { expect } from 'vitest'
import type { PersonDetail } from '@/lib/operations/people'
import { signIn } from './person'

/** Confirms a person's requested roles as the second demo admin. Returns the person as the last response contained them. */
export async function confirmRoles(dashboardUrl: string, personId: string, requests: readonly string[]): Promise<PersonDetail | undefined> {
  const secondAdmin = await signIn(dashboardUrl, 'admin2@paydesk.test')
  let person: PersonDetail | undefined
  for (const request of requests) {
    const confirmReply = await secondAdmin.post<PersonDetail>(`/api/sandbox/desk/people/${personId}/grant-requests/${request}/confirm`)
    expect([confirmReply.status, confirmReply.body.error?.detail]).toEqual([200, undefined])
    person = confirmReply.body.data
  }
  return person
}
