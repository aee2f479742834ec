import { canMoveMoney, canUploadEvidence, decidedBy, defineOperations, everyone, paymentFields, replaces } from './define'

type PaymentResource = 'charges' | 'payouts'

const oneOf = (resource: PaymentResource) => (resource === 'charges' ? 'charge' : 'payout')

const writeOf = <R extends PaymentResource>(resource: R) =>
  ({ scope: 'required', allow: canMoveMoney, invalidates: [resource, 'payments'] }) as const

const directions = { payouts: 'out', charges: 'in' } as const

/** Returns the fields that are the same for all operations of a resource that move money. */
const moveOf = <R extends PaymentResource>(resource: R) =>
  ({ ...writeOf(resource), effect: 'money', money: directions[resource], stepUp: 'recent', amount: 'asked' }) as const

/** Operations that are the same for charges and payouts (interface document, "Operations"; the others from provider facts 1.4 and 1.5). */
function readsAndProofOf<R extends PaymentResource>(resource: R) {
  const one = oneOf(resource)
  return {
    get: {
      method: 'GET',
      path: `/${resource}/:id`,
      scope: 'optional',
      allow: everyone,
      effect: 'read',
      verbPhrase: `read a ${one}`,
    },
    unmask: {
      method: 'GET',
      path: `/${resource}/:id/unmask`,
      scope: 'optional',
      allow: canUploadEvidence,
      effect: 'read',
      reason: 'kept',
      sensitive: true,
      stepUp: 'recent',
      verbPhrase: `reveal masked data of a ${one}`,
    },
    authorize: {
      method: 'POST',
      path: `/${resource}/:id/authorization`,
      scope: 'required',
      allow: canUploadEvidence,
      effect: 'write',
      body: 'file',
      proof: 'kept',
      creates: null,
      invalidates: [resource],
      verbPhrase: `upload an authorization proof for a ${one}`,
      done: 'Document attached',
    },
  } as const
}

/** Returns the operations that move money, or change the money that will move. */
function movesOf<R extends PaymentResource>(resource: R) {
  const one = oneOf(resource)
  const title = resource === 'charges' ? 'Charge' : 'Payout'
  const move = moveOf(resource)
  return {
    create: {
      ...move,
      method: 'POST',
      path: `/${resource}`,
      reason: 'kept',
      fills: 'paykey',
      creates: resource,
      verbPhrase: `create a ${one}`,
      done: `${title} created`,
    },
    // The policy compares the larger of the old and the new amount, because a lowered amount could be raised again after the release.
    update: {
      ...move,
      amount: 'larger',
      method: 'PUT',
      path: `/${resource}/:id`,
      reason: 'kept',
      restsOn: replaces(...paymentFields, 'description', 'payment_date', 'metadata'),
      verbPhrase: `change a ${one}`,
      done: `${title} saved`,
    },
    resubmit: {
      ...move,
      method: 'POST',
      path: `/${resource}/:id/resubmit`,
      reason: 'kept',
      creates: resource,
      hooks: ['before'],
      restsOn: decidedBy(...paymentFields),
      verbPhrase: `resubmit a ${one}`,
      done: 'Resubmitted as a new payment',
    },
  } as const
}

/** Returns the decisions on a payment that was not sent yet. The service stores their reasons. */
function decisionsOf<R extends PaymentResource>(resource: R) {
  const one = oneOf(resource)
  const write = writeOf(resource)
  return {
    hold: {
      ...write,
      method: 'PUT',
      path: `/${resource}/:id/hold`,
      effect: 'write',
      reason: 'sent',
      restsOn: decidedBy('status'),
      verbPhrase: `hold a ${one}`,
      done: 'Held',
    },
    release: {
      ...moveOf(resource),
      method: 'PUT',
      path: `/${resource}/:id/release`,
      reason: 'sent',
      hooks: ['before'],
      restsOn: decidedBy(...paymentFields),
      verbPhrase: `release a ${one}`,
      done: 'Released',
    },
    cancel: {
      ...write,
      method: 'PUT',
      path: `/${resource}/:id/cancel`,
      effect: 'irreversible',
      reason: 'sent',
      restsOn: decidedBy(...paymentFields),
      verbPhrase: `cancel a ${one}`,
      done: 'Canceled',
    },
  } as const
}

const operationsOf = <R extends PaymentResource>(resource: R) => ({
  ...readsAndProofOf(resource),
  ...movesOf(resource),
  ...decisionsOf(resource),
})

const ofPayouts = operationsOf('payouts')
const ofCharges = operationsOf('charges')

/** Operations on charges and payouts, and the search over both. The provider has no list of payouts alone (it responds with 405). */
export const payments = defineOperations({
  'payouts.create': ofPayouts.create,
  'payouts.get': ofPayouts.get,
  'payouts.unmask': ofPayouts.unmask,
  'payouts.update': ofPayouts.update,
  'payouts.hold': ofPayouts.hold,
  'payouts.release': ofPayouts.release,
  'payouts.cancel': ofPayouts.cancel,
  'payouts.resubmit': ofPayouts.resubmit,
  'payouts.authorize': ofPayouts.authorize,
  'payments.search': {
    method: 'GET',
    path: '/payments',
    scope: 'optional',
    allow: everyone,
    effect: 'read',
    mirrored: true,
    checksFilter: true,
    verbPhrase: 'search payments',
  },
  'charges.create': ofCharges.create,
  'charges.get': ofCharges.get,
  'charges.unmask': ofCharges.unmask,
  'charges.update': ofCharges.update,
  'charges.hold': ofCharges.hold,
  'charges.release': ofCharges.release,
  'charges.cancel': ofCharges.cancel,
  'charges.resubmit': ofCharges.resubmit,
  'charges.refund': {
    ...ofCharges.resubmit,
    money: 'out',
    path: '/charges/:id/refund',
    creates: 'payouts',
    invalidates: ['charges', 'payouts', 'payments'],
    verbPhrase: 'refund a charge',
    done: 'Refund created',
  },
  'charges.authorize': ofCharges.authorize,
})
