import 'server-only'
import {
  addPasskey,
  confirmTotp,
  removePasskey,
  removeTotp,
  renamePasskey,
  replaceRecoveryCodes,
} from '@/lib/server/auth/step-up/changes'
import { beginPasskeyEnrollment, beginTotpEnrollment } from '@/lib/server/auth/step-up/enrollments'
import { readFactors } from '@/lib/server/auth/step-up/factors'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { getDatabase } from '@/lib/server/store/store'

type FactorOperationId =
  | 'factors.list'
  | 'factors.begin_passkey'
  | 'factors.add_passkey'
  | 'factors.rename_passkey'
  | 'factors.remove_passkey'
  | 'factors.begin_totp'
  | 'factors.confirm_totp'
  | 'factors.remove_totp'
  | 'factors.new_codes'

export const factorHandlers: DeskOperationHandlers<FactorOperationId> = {
  'factors.list': async ({ actor }) => ({ data: await readFactors(await getDatabase(), actor.id) }),
  'factors.begin_passkey': async ({ actor }) => ({ data: await beginPasskeyEnrollment(actor) }),
  'factors.add_passkey': async ({ actor, input }) => ({
    data: await addPasskey(actor, input.enrollment, input.name, input.passkey),
  }),
  'factors.rename_passkey': async ({ actor, input }) => ({
    data: await renamePasskey(actor, input.id, input.name),
  }),
  'factors.remove_passkey': async ({ actor, input }) => ({
    data: await removePasskey(actor, input.id),
  }),
  'factors.begin_totp': async ({ actor }) => ({ data: await beginTotpEnrollment(actor) }),
  'factors.confirm_totp': async ({ actor, input }) => ({
    data: await confirmTotp(actor, input.enrollment, input.code),
  }),
  'factors.remove_totp': async ({ actor }) => ({ data: await removeTotp(actor) }),
  'factors.new_codes': async ({ actor }) => ({ data: await replaceRecoveryCodes(actor) }),
}
