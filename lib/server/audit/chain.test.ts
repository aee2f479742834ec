import { expect, test } from 'vitest'
import { serviceOperationIds } from '@/lib/operations/service-operations'
import { deskEvents, operationEvents, refusalEvents } from './chain'

/**
 * Every audit code ever written. Rows are kept for years, and people search by code. So codes may
 * be added, but never changed.
 */
const frozenCodes = {
  operations: [
    'start',
    'applied',
    'refused',
    'unknown',
    'needs_human',
    'checked',
    'decided',
    'blocked',
  ],
  refusals: ['denied', 'unauthenticated', 'other_site', 'too_many'],
  desk: [
    'account_of.find',
    'accounts.export start applied broken cancelled',
    'actions.check',
    'actions.decide',
    'actions.list',
    'actions.read',
    'activity.open',
    'charges.export start applied broken cancelled',
    'customers.export start applied broken cancelled',
    'deletions.apply_again applied',
    'deletions.certificate',
    'deletions.certify applied',
    'deletions.export start applied broken cancelled',
    'deletions.list',
    'deletions.request applied',
    'deletions.withdraw applied',
    'factors.add_passkey applied',
    'factors.begin_passkey',
    'factors.begin_totp',
    'factors.confirm_totp applied',
    'factors.list',
    'factors.new_codes applied',
    'factors.remove_passkey applied',
    'factors.remove_totp applied',
    'factors.rename_passkey applied',
    'find.search',
    'funding_events.export start applied broken cancelled',
    'limit_requests.list',
    'limit_requests.use',
    'linked_bank_accounts.export start applied broken cancelled',
    'organizations.export start applied broken cancelled',
    'page.open',
    'paykeys.export start applied broken cancelled',
    'payments.export start applied broken cancelled',
    'payouts.export start applied broken cancelled',
    'people.access_review applied',
    'people.activate applied',
    'people.create applied',
    'people.deactivate applied',
    'people.end_sessions applied',
    'people.forgot_password applied',
    'people.confirm_grant applied',
    'people.grant applied asked',
    'people.invite applied',
    'people.link applied',
    'people.list',
    'people.reject_grant applied',
    'people.remove_factors applied',
    'people.set_password applied',
    'people.take_grant applied',
    'profile.change_password applied refused',
    'profile.end_session applied',
    'profile.end_sessions applied',
    'refusals.others counted',
    'representatives.export start applied broken cancelled',
    'requests.export start applied broken cancelled',
    'requests.list',
    'service.check',
    'session.sign_in applied refused',
    'session.sign_out applied',
    'settings.open',
    'step_ups.prove applied refused',
    'step_ups.use refused',
    'views.create applied',
    'views.delete applied',
    'views.list',
    'views.update applied',
  ],
}

test('no audit code was renamed or removed', () => {
  expect([...operationEvents]).toEqual(expect.arrayContaining(frozenCodes.operations))
  expect(Object.values(refusalEvents)).toEqual(expect.arrayContaining(frozenCodes.refusals))
  const deskCodes = Object.entries(deskEvents).map(([name, events]) => [name, ...events].join(' '))
  expect(deskCodes).toEqual(expect.arrayContaining(frozenCodes.desk))
})

test('Paydesk’s own codes differ from the service’s operations', () => {
  const serviceIds: readonly string[] = serviceOperationIds
  expect(Object.keys(deskEvents).filter((name) => serviceIds.includes(name))).toEqual([])
  expect(
    Object.values(refusalEvents).filter((event) =>
      (operationEvents as readonly string[]).includes(event),
    ),
  ).toEqual([])
})
