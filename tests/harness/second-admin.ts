import { expect } from 'vitest'
import type { PersonDetail } from '@/lib/operations/people'
import { signIn } from './person'

/**
 * Confirms the requests that give a person a role, as the second demo admin. Returns the person
 * from the last response.
 */
export async function confirmGrantRequests(
  dashboardUrl: string,
  personId: string,
  requestIds: readonly string[],
): Promise<PersonDetail | undefined> {
  const secondAdmin = await signIn(dashboardUrl, 'admin2@paydesk.test')
  let personDetail: PersonDetail | undefined
  for (const request of requestIds) {
    const confirmReply = await secondAdmin.post<PersonDetail>(
      `/api/sandbox/desk/people/${personId}/grant-requests/${request}/confirm`,
    )
    expect([confirmReply.status, confirmReply.body.error?.detail]).toEqual([200, undefined])
    personDetail = confirmReply.body.data
  }
  return personDetail
}
