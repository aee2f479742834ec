import {
  defineDeskOperations,
  deskReadDefaults,
  moneyRoles,
  requestLogRoles,
} from '@/lib/operations/define'
import { eventsPath, queueCountsPath } from '@/lib/routes'

export const miscOperations = defineDeskOperations({
  'account_choices.list': {
    ...deskReadDefaults,
    path: '/account-choices',
    verbPhrase: 'list the accounts to choose from',
  },
  'events.read': {
    ...deskReadDefaults,
    path: eventsPath,
    unattended: true,
    ownPagesOnly: true,
    answers: 'events',
    verbPhrase: 'follow changes',
  },
  // A header contains the text: it may be an email address, which must not be in a URL.
  'find.search': {
    ...deskReadDefaults,
    path: '/find',
    headers: { text: 'Find-Text' },
    verbPhrase: 'search',
  },
  'queue_counts.read': {
    ...deskReadDefaults,
    path: queueCountsPath,
    unattended: true,
    verbPhrase: 'count what waits in the queues',
  },
  // All accounts share the limit: a person with roles for single accounts must not see its use.
  'rate_budget.read': {
    ...deskReadDefaults,
    path: '/rate-budget',
    scope: 'platform',
    allow: moneyRoles,
    unattended: true,
    verbPhrase: 'read what is used of the rate limit',
  },
  'requests.list': {
    ...deskReadDefaults,
    path: '/requests',
    allow: requestLogRoles,
    unattended: true,
    verbPhrase: 'read the request log',
  },
  // Only admins: its requests use the rate limit that all accounts share.
  'service.check': {
    ...deskReadDefaults,
    method: 'POST',
    path: '/service-check',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'check the connection to the payments service',
  },
})

export const limits = defineDeskOperations({
  'limit_requests.list': {
    ...deskReadDefaults,
    path: '/limit-requests',
    scope: 'account',
    verbPhrase: 'list limit requests',
  },
  'limit_requests.use': {
    ...deskReadDefaults,
    path: '/limit-requests/use',
    scope: 'account',
    verbPhrase: 'read what is used of the limits',
  },
})
