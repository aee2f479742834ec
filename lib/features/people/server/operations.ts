import 'server-only'
import type { DeskCall, DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { mailInvitation } from '@/lib/server/mail/links'
import { exportAccessReview } from './access-review'
import {
  activatePerson,
  deactivatePerson,
  endPersonSessions,
  grantRight,
  invitePerson,
  renewInvitationLink,
  revokeGrant,
} from './changes'
import { removeFactors } from './factors'
import { confirmGrant, rejectGrant } from './grant-requests'
import { listPeopleViews, readPersonDetail } from './people'

type PeopleOperationId =
  | 'people.list'
  | 'people.access_review'
  | 'people.invite'
  | 'people.link'
  | 'people.grant'
  | 'people.confirm_grant'
  | 'people.reject_grant'
  | 'people.take_grant'
  | 'people.deactivate'
  | 'people.activate'
  | 'people.end_sessions'
  | 'people.remove_factors'

const readPersonDetailResponse = async ({
  actor,
  input,
}: Pick<DeskCall<'people.activate'>, 'actor' | 'input'>) => ({
  data: await readPersonDetail(input.id, actor),
})

export const peopleHandlers: DeskOperationHandlers<PeopleOperationId> = {
  'people.list': async ({ actor }) => ({ data: await listPeopleViews(actor) }),
  'people.access_review': ({ actor, input, requestId }) =>
    exportAccessReview(actor, input.format, requestId),
  'people.invite': async ({ actor, input }) => {
    const invitationLink = await invitePerson(actor, input)
    mailInvitation(input.email, invitationLink.link)
    return { data: invitationLink }
  },
  'people.link': async ({ actor, input }) => {
    const renewedLink = await renewInvitationLink(actor, input.id)
    mailInvitation((await readPersonDetail(input.id, actor)).email, renewedLink.link)
    return { data: renewedLink }
  },
  'people.grant': async (call) => {
    const { id, ...wanted } = call.input
    await grantRight(call.actor, id, wanted)
    return readPersonDetailResponse(call)
  },
  'people.confirm_grant': async (call) => {
    await confirmGrant(call.actor, call.input.id, call.input.request)
    return readPersonDetailResponse(call)
  },
  'people.reject_grant': async (call) => {
    await rejectGrant(call.actor, call.input.id, call.input.request)
    return readPersonDetailResponse(call)
  },
  'people.take_grant': async (call) => {
    await revokeGrant(call.actor, call.input.id, call.input.grant)
    return readPersonDetailResponse(call)
  },
  'people.deactivate': async (call) => {
    await deactivatePerson(call.actor, call.input.id)
    return readPersonDetailResponse(call)
  },
  'people.activate': async (call) => {
    await activatePerson(call.actor, call.input.id)
    return readPersonDetailResponse(call)
  },
  'people.remove_factors': async (call) => {
    await removeFactors(call.actor, call.input.id)
    return readPersonDetailResponse(call)
  },
  'people.end_sessions': async (call) => {
    await endPersonSessions(call.actor, call.input.id)
    return readPersonDetailResponse(call)
  },
}
