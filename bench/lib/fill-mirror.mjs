const buildCopyIdSql = (id, number) => `md5(${id}::text || ${number})::uuid`

const listIndexesSql = `select tablename as on, indexname as name, indexdef as made from pg_indexes
  where tablename in ('mirror_payments', 'mirror_customers', 'mirror_paykeys', 'request_log') and indexname not like '%_pk%'`

const buildColumnNamesSql = (
  table,
) => `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
  from information_schema.columns where table_name = '${table}' and column_name not in ('id', 'account_id', 'customer_id', 'paykey_id', 'created_at', 'object', 'seen_by')`

/** A copied payment belongs to copies of its customer, its paykey and its account. */
async function copyRows(runSql, table, [first, last], { people, accounts }) {
  const [{ names }] = await runSql(buildColumnNamesSql(table))
  const foreignIdColumns =
    { mirror_payments: ['customer_id', 'paykey_id'], mirror_paykeys: ['customer_id'] }[table] ?? []
  const prefixWithCommas = (sqlExpressions) => sqlExpressions.map((part) => `, ${part}`).join('')
  const idSql = buildCopyIdSql('id', `'#' || n`)
  await runSql(`insert into ${table} (id, account_id, created_at, object, seen_by, ${names}${prefixWithCommas(foreignIdColumns)})
    select ${idSql}, ${buildCopyIdSql('account_id', `n % ${accounts}`)}, created_at - n * interval '7 hours', object || jsonb_build_object('id', ${idSql}), 'read', ${names}
      ${prefixWithCommas(foreignIdColumns.map((link) => buildCopyIdSql(link, `'#' || (n % ${people} + 1)`)))}
    from (select * from ${table} where seen_by = 'sync') own, generate_series(${first}, ${last}) n`)
}

/**
 * Enlarges the mirror (our copy of the service's objects) to about `payments` payments and
 * `accounts` accounts. Copies each customer and paykey up to 50 times. Adds one logged request per
 * payment. `runSql` executes SQL and returns the rows.
 */
export async function fillMirror(runSql, { payments, accounts }) {
  const [current] = await runSql(
    'select (select count(*)::int from mirror_payments) as payments, (select count(*)::int from mirror_accounts) as accounts',
  )
  const neededCopyCounts = {
    payments: Math.ceil(payments / current.payments) - 1,
    accounts: Math.ceil(accounts / current.accounts) - 1,
  }
  const customerCopyCount = Math.min(50, neededCopyCounts.payments)
  const droppedIndexes = await runSql(listIndexesSql)
  for (const { name } of droppedIndexes) await runSql(`drop index ${name}`)
  await runSql(`insert into mirror_accounts (environment, id, account_id, object, seen_at, seen_by, organization_id, type, status, external_id, name, created_at, search)
    select environment, ${buildCopyIdSql('id', 'n')}, ${buildCopyIdSql('id', 'n')}, object || jsonb_build_object('id', ${buildCopyIdSql('id', 'n')}), seen_at, 'read', organization_id, type, status,
      external_id, name, created_at, search from mirror_accounts, generate_series(0, ${neededCopyCounts.accounts - 1}) n`)
  const copyCounts = { people: customerCopyCount, accounts: neededCopyCounts.accounts }
  await runSql(
    `update mirror_customers set seen_by = 'sync'; update mirror_paykeys set seen_by = 'sync'; update mirror_payments set seen_by = 'sync'`,
  )
  for (const table of ['mirror_customers', 'mirror_paykeys'])
    await copyRows(runSql, table, [1, customerCopyCount], copyCounts)
  for (let first = 1; first <= neededCopyCounts.payments; first += 20) {
    await copyRows(
      runSql,
      'mirror_payments',
      [first, Math.min(first + 19, neededCopyCounts.payments)],
      copyCounts,
    )
  }
  await runSql(`insert into request_log (id, at, environment, operation, account_id, target, actor_id, request_id, api_request_id, status, took_ms)
    select gen_random_uuid(), now() - n * interval '80 days' / ${payments}, 'sandbox', 'payouts.get', null, 'payouts/' || n, (select id from people limit 1), 'req_' || n,
      'api_' || n, 200, 12 from generate_series(1, ${payments}) n`)
  for (const { made } of droppedIndexes) await runSql(made)
}
