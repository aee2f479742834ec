import { z } from 'zod'
import { date, email, externalId, metadata, phone, text, uuid } from '@/sandbox/http/fields'

const flag = z.boolean('is required and must be true or false')

const relationship = z
  .strictObject(
    {
      primary: flag,
      control: flag,
      owner: flag,
      percent_ownership: z.number('must be a number').min(0, 'must be 0 or more').max(100, 'must be at most 100').nullish(),
      title: text(100).nullish(),
    },
    'is required and must be an object',
  )
  .refine(({ owner, percent_ownership }) => !owner || typeof percent_ownership === 'number', {
    message: 'is required for an owner',
    path: ['percent_ownership'],
  })

/** `PUT /v1/representatives/{id}`; missing metadata and reference stay unchanged, as does null metadata. */
export const updateBody = z.strictObject({
  first_name: text(100),
  last_name: text(100),
  dob: date,
  ssn_last4: z.string('is required and must be a string').regex(/^[0-9]{4}$/, 'must be 4 digits'),
  email,
  mobile_number: phone,
  relationship,
  external_id: externalId.nullish(),
  metadata: metadata.nullish(),
})

/** `POST /v1/representatives` */
export const createBody = z.strictObject({ account_id: uuid, ...updateBody.shape })
