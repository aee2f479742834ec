import { defineDeskOperations, deskRead, moneyRoles, requestLogRoles } from '@/lib/operations/define'
import { eventsPath, queueCountsPath } from '@/lib/routes'

export const miscOperations = defineDeskOperations({
  'account_choices.list': { ...deskRead, path: '/account-choices', verbPhrase: 'list the accounts to choose from' },
  'events.read': { ...deskRead, path: eventsPath, unattended: true, ownPagesOnly: true, answers: 'events', verbPhrase: 'follow changes' },
  // The text is sent in a header, because it may be an email address.
  'find.search': { ...deskRead, path: '/find', headers: { text: 'Find-Text' }, verbPhrase: 'search' },
  'queue_counts.read': { ...deskRead, path: queueCountsPath, unattended: true, verbPhrase: 'count what waits in the queues' },
  // All accounts share the limit, so people with single accounts must not see its use.
  'rate_budget.read': {
    ...deskRead,
    path: '/rate-budget',
    scope: 'platform',
    allow: moneyRoles,
    unattended: true,
    verbPhrase: 'read what is used of the rate limit',
  },
  'requests.list': { ...deskRead, path: '/requests', allow: requestLogRoles, unattended: true, verbPhrase: 'read the request log' },
  // It writes nothing, but it uses the rate limit that all accounts share. Therefore only admins may run it.
  'service.check': {
    ...deskRead,
    method: 'POST',
    path: '/service-check',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'check the connection to the payments service',
  },
})

export const limits = defineDeskOperations({
  'limit_requests.list': { ...deskRead, path: '/limit-requests', scope: 'account', verbPhrase: 'list limit requests' },
  'limit_requests.use': { ...deskRead, path: '/limit-requests/use', scope: 'account', verbPhrase: 'read what is used of the limits' },
})
