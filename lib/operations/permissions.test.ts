import { expect, test } from 'vitest'
import { getOperation, operationIds } from './operations'

/**
 * The roles and the account rule of every operation, written a second time: if a definition changes
 * by accident, this test fails.
 */
const expectedPermissions: Readonly<Record<string, string>> = {
  'desk account: viewer operator reviewer admin': `
    limit_requests.list limit_requests.use
  `,
  'desk environment: operator reviewer admin': `
    requests.list payments.export payouts.export charges.export paykeys.export customers.export accounts.export organizations.export
    representatives.export linked_bank_accounts.export funding_events.export deletions.export requests.export open_actions.export
    limits.export limit_requests.export
  `,
  'desk environment: reviewer admin': `
    audit.read audit.verify audit.export
  `,
  'desk environment: viewer operator reviewer admin': `
    views.list views.create views.update views.delete actions.list approvals.list approvals.needed profile.read profile.session
    profile.stay profile.end_session profile.end_sessions profile.change_password factors.list factors.begin_passkey
    factors.add_passkey factors.rename_passkey factors.remove_passkey factors.begin_totp factors.confirm_totp factors.remove_totp
    factors.new_codes step_ups.prove deletions.list claims.read account_choices.list events.read find.search queue_counts.read
    notifications.choose
  `,
  'desk object: operator reviewer admin': `
    approvals.approve approvals.reject approvals.withdraw deletions.request deletions.withdraw claims.take notes.create
    notes.withdraw notes.evidence
  `,
  'desk object: reviewer admin': `
    actions.decide
  `,
  'desk object: viewer operator reviewer admin': `
    actions.read actions.check approvals.read deletions.certificate claims.give_back notes.list
    documents.list documents.read
  `,
  'desk platform: admin reviewer': `
    policies.read
  `,
  'desk platform: admin': `
    policies.preview policies.propose policies.confirm policies.reject people.list people.access_review people.invite people.link
    people.grant people.confirm_grant people.reject_grant people.take_grant people.deactivate people.activate people.remove_factors
    people.end_sessions webhooks.list webhooks.read webhooks.process service.check webhooks.export
  `,
  'desk platform: operator admin': `
    rate_budget.read
  `,
  'service forbidden (answer): viewer operator reviewer admin': `
    accounts.list
  `,
  'service forbidden (body): operator admin': `
    representatives.create linked_bank_accounts.create
  `,
  'service forbidden (object): operator admin': `
    representatives.update linked_bank_accounts.update linked_bank_accounts.cancel
  `,
  'service forbidden (object): operator reviewer admin': `
    representatives.unmask linked_bank_accounts.unmask
  `,
  'service forbidden (object): viewer operator reviewer admin': `
    representatives.get linked_bank_accounts.get
  `,
  'service forbidden (path): operator admin': `
    accounts.update accounts.onboard
  `,
  'service forbidden (path): operator reviewer admin': `
    accounts.simulate
  `,
  'service forbidden (path): viewer operator reviewer admin': `
    accounts.get account_settings.get
  `,
  'service forbidden (platform): operator admin': `
    accounts.create organizations.create
  `,
  'service forbidden (platform): viewer operator reviewer admin': `
    organizations.list organizations.get
  `,
  'service forbidden (query): viewer operator reviewer admin': `
    representatives.list linked_bank_accounts.list
  `,
  'service optional, in a marketplace forbidden: operator admin': `
    paykeys.reveal
  `,
  'service optional, in a marketplace forbidden: operator reviewer admin': `
    customers.unmask paykeys.unmask
  `,
  'service optional: operator reviewer admin': `
    payouts.unmask charges.unmask
  `,
  'service optional, in a marketplace forbidden: viewer operator reviewer admin': `
    customers.list customers.by_email customers.get customers.review paykeys.list paykeys.get
    paykeys.review
  `,
  'service optional: viewer operator reviewer admin': `
    payouts.get payments.search charges.get funding_events.list funding_events.get
    funding_events.payments
  `,
  'service required, in a marketplace forbidden: operator admin': `
    customers.create customers.update bridge.initialize bridge.bank_account bridge.tan
    bridge.plaid bridge.quiltt bridge.speedchex
  `,
  'service required: operator admin': `
    payouts.create payouts.update payouts.hold payouts.release payouts.cancel payouts.resubmit
    charges.create charges.update charges.hold charges.release charges.cancel charges.resubmit
    charges.refund funding_events.simulate capability_requests.create
  `,
  'service required, in a marketplace forbidden: operator reviewer admin': `
    customers.refresh_review paykeys.refresh_review paykeys.refresh_balance
  `,
  'service required: operator reviewer admin': `
    payouts.authorize charges.authorize
  `,
  'service required, in a marketplace forbidden: reviewer admin': `
    customers.delete customers.decide paykeys.cancel paykeys.decide paykeys.unblock
  `,
  'service required: viewer operator reviewer admin': `
    capability_requests.list
  `,
}

function toAccountRule(definition: ReturnType<typeof getOperation>): string {
  if (definition.source !== 'service') return definition.scope
  const { accountHeader } = definition
  if (accountHeader === 'forbidden') return accountHeader
  const { saas, marketplace } = accountHeader
  return saas === marketplace ? saas : `${saas}, in a marketplace ${marketplace}`
}

function toPermissionRule(id: (typeof operationIds)[number]): string {
  const definition = getOperation(id)
  const accountSourceSuffix =
    definition.source === 'service' && definition.accountFrom ? ` (${definition.accountFrom})` : ''
  return `${definition.source} ${toAccountRule(definition)}${accountSourceSuffix}: ${definition.allow.join(' ')}`
}

test('every operation has the roles and the account rule from the table', () => {
  const ruleByOperation = Object.entries(expectedPermissions).flatMap(([rule, ids]) =>
    ids
      .trim()
      .split(/\s+/)
      .map((id) => [id, rule]),
  )
  expect(Object.fromEntries(operationIds.map((id) => [id, toPermissionRule(id)]))).toEqual(
    Object.fromEntries(ruleByOperation),
  )
})
