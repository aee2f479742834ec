import { expect, test } from 'vitest'
import { databaseUrlFault } from './database-url'

test.each([
  'postgres://paydesk@127.0.0.1:5432/desk',
  'postgres://paydesk:word@localhost/desk',
  'postgresql://paydesk@[::1]/desk',
  'postgres://paydesk@%2Fvar%2Frun%2Fpostgresql/desk',
  'postgres://paydesk@localhost/desk?host=/var/run/postgresql',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full',
  'postgres://paydesk@10.0.0.7/desk?application_name=desk&sslmode=verify-full',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full&uselibpqcompat=true',
])('%s may be used', (url) => {
  expect(databaseUrlFault(url)).toBeNull()
})

test.each([
  'postgres://paydesk@db.company.test/desk',
  'postgres://paydesk@10.0.0.7/desk',
  'postgres://paydesk@0.0.0.0/desk',
  'postgres://paydesk@127.0.0.1.company.test/desk',
  'postgres://paydesk@localhost/desk?host=db.company.test',
  'postgres://paydesk@localhost/desk?host=localhost&host=db.company.test',
  'postgres://paydesk@db.company.test/desk?ssl=true',
  'postgres://paydesk@db.company.test/desk?sslnegotiation=direct',
  'postgres://paydesk@db.company.test/desk?ssl=no-verify',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full&sslmode=disable',
  'postgres://paydesk@db.company.test/desk?SSLMODE=verify-full',
  ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify', 'verify-full%20'].map(
    (mode) => `postgres://paydesk@db.company.test/desk?sslmode=${mode}`,
  ),
  'postgres://paydesk@db.company.test/desk?sslmode=require&uselibpqcompat=true',
])('%s is refused with the way to mend it', (url) => {
  expect(databaseUrlFault(url)).toMatch(/^must end in \?sslmode=verify-full /)
})

test.each(['postgres:///desk', 'postgres://paydesk@/desk', 'postgres:desk'])('%s leaves the host to others', (url) => {
  expect(databaseUrlFault(url)).toMatch(/^must name its host/)
})

test('a file that cannot be read is said without its name', () => {
  const fault = databaseUrlFault('postgres://paydesk@db.company.test/desk?sslmode=verify-full&sslrootcert=/nowhere/canary.pem')
  expect(fault).toMatch(/files it names must be readable$/)
})
