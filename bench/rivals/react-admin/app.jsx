import {
  Admin,
  Datagrid,
  DateField,
  List,
  NumberField,
  Pagination,
  Resource,
  SelectInput,
  TextField,
  TextInput,
} from 'react-admin'
import { createRoot } from 'react-dom/client'

async function read(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

const dataProvider = {
  getList: async (_resource, { pagination, sort, filter, signal: _ }) => {
    const query = new URLSearchParams({
      ...filter,
      page_number: String(pagination.page),
      page_size: String(pagination.perPage),
      sort_by: sort.field,
      sort_order: sort.order.toLowerCase(),
    })
    const { data, meta } = await read(`/v1/payments?${query}`)
    return { data, total: meta.total_items ?? meta.total_rows }
  },
}

const states = [
  'created',
  'scheduled',
  'on_hold',
  'pending',
  'paid',
  'failed',
  'reversed',
  'cancelled',
].map((id) => ({ id, name: id }))
const filters = [
  <TextInput key="text" source="search_text" alwaysOn />,
  <SelectInput key="state" source="payment_status" choices={states} alwaysOn />,
]

const Payments = () => (
  <List
    filters={filters}
    perPage={50}
    sort={{ field: 'created_at', order: 'DESC' }}
    pagination={<Pagination />}
  >
    <Datagrid rowClick={false}>
      <TextField source="id" />
      <TextField source="payment_type" />
      <TextField source="status" />
      <NumberField source="amount" options={{ style: 'currency', currency: 'USD' }} />
      <TextField source="customer_details.name" sortable={false} />
      <TextField source="external_id" sortable={false} />
      <DateField source="payment_date" />
      <DateField source="created_at" showTime />
    </Datagrid>
  </List>
)

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="payments" list={Payments} />
  </Admin>,
)
