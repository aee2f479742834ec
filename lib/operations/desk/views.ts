import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

export const views = defineDeskOperations({
  'views.list': { ...deskRead, path: '/views', verbPhrase: 'list saved views' },
  'views.create': { ...deskWrite, path: '/views', events: ['applied'], invalidates: ['views'], verbPhrase: 'save a view' },
  'views.update': {
    ...deskWrite,
    method: 'PUT',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'change a saved view',
  },
  'views.delete': {
    ...deskWrite,
    method: 'DELETE',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'remove a saved view',
  },
})
