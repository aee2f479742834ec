/** Says that this process answers; it asks nobody else. */
export const GET = () => Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })

export const dynamic = 'force-dynamic'
