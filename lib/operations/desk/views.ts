import { defineDeskOperations, deskReadDefaults, deskWriteDefaults } from '@/lib/operations/define'

export const views = defineDeskOperations({
  'views.list': { ...deskReadDefaults, path: '/views', verbPhrase: 'list saved views' },
  'views.create': {
    ...deskWriteDefaults,
    path: '/views',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'save a view',
  },
  'views.update': {
    ...deskWriteDefaults,
    method: 'PUT',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'change a saved view',
  },
  'views.delete': {
    ...deskWriteDefaults,
    method: 'DELETE',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'remove a saved view',
  },
})
