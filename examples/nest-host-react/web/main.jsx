import { createCastellanClient } from 'castellan-client';
import {
  Can,
  CastellanProvider,
  SignedIn,
  SignedInPending,
  SignedOut,
  useLogout,
  useSubmission,
  useUser,
} from 'castellan-react';
import { LoginForm, RegisterForm } from 'castellan-react/forms';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The host serves the page and Castellan, so there is one origin. In TypeScript, a type parameter adds the host's routes.
const castellan = createCastellanClient({ baseUrl: location.origin, language: () => document.documentElement.lang });

function Orders() {
  const [orders, setOrders] = useState([]);
  const { send, problem, isPending } = useSubmission();
  const load = async () => {
    const answer = await send(() => castellan.GET('/shop/orders'));
    if (answer) setOrders(answer.data.items);
  };
  const remove = async (id) => {
    if (await send(() => castellan.DELETE('/shop/orders/{id}', { params: { path: { id } } }))) await load();
  };
  useEffect(() => {
    void load();
    // Once: `send` and `load` are of the first rendering.
  }, []);
  return (
    <section aria-busy={isPending}>
      <h2>Orders</h2>
      <ul>
        {orders.map(({ id, item }) => (
          <li key={id}>
            {item} {/* Appears and disappears within a second when an administrator gives or takes the role. */}
            <Can permission="shop:order:delete">
              <button onClick={() => void remove(id)}>Delete {item}</button>
            </Can>
          </li>
        ))}
      </ul>
      <p role="alert">{problem?.detail}</p>
    </section>
  );
}

function Account() {
  const user = useUser();
  const { logOut } = useLogout();
  return (
    <>
      <h1>Hello, {user?.nickname || user?.username}</h1>
      <Orders />
      <button onClick={() => void logOut()}>Log out</button>
    </>
  );
}

function Guest() {
  const [isNew, setNew] = useState(false);
  return (
    <>
      <h1>Welcome to the shop</h1>
      {isNew ? <RegisterForm onRegistered={() => setNew(false)} /> : <LoginForm />}
      <button onClick={() => setNew(!isNew)}>{isNew ? 'I have an account' : 'Create an account'}</button>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <CastellanProvider client={castellan}>
      <SignedIn>
        <Account />
      </SignedIn>
      <SignedInPending>
        {/* This shop requires nothing. A host that does has a page for it: docs/guides/own-login-pages.md. */}
        <h1>You have something to do first</h1>
      </SignedInPending>
      <SignedOut>
        <Guest />
      </SignedOut>
    </CastellanProvider>
  </StrictMode>,
);
