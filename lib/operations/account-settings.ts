import { defineOperations, everyone } from './define'

/** The settings of an account (interface document, `GET /v1/account_settings/{account_id}`); the path names the account. */
export const accountSettings = defineOperations({
  'account_settings.get': {
    method: 'GET',
    path: '/account_settings/:id',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'read the settings of an account',
  },
})
