import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connectionStringFor,
  describeConnection,
  readConnectionString,
} from '../../src/features/team/service/connection-string.ts';

const plain = {
  host: 'db.example',
  port: 5432,
  database: 'team',
  user: 'ada',
  password: 'a secret',
  sslMode: 'require',
  rootCertificate: undefined,
  certificate: undefined,
  key: undefined,
} as const;

/** Differences of a connection to this machine. */
const here = { host: 'localhost', sslMode: 'prefer' } as const;

test('reads a connection string in all forms that PostgreSQL’s own programs accept', () => {
  const forms = {
    'postgres://ada:a%20secret@db.example/team': plain,
    'postgresql://ada:a%20secret@db.example:5432/team': plain,
    '  postgres://ada:a%20secret@db.example:6432/team\n': { ...plain, port: 6432 },
    'postgres://db.example/team?user=ada&password=a%20secret': plain,
    'postgres:///team?host=db.example&user=ada&password=a%20secret&port=6432': { ...plain, port: 6432 },
    'postgres://ada@db.example/?dbname=team': { ...plain, password: undefined },
    'postgres:///team?user=ada': { ...plain, ...here, password: undefined },
    'postgres://ada:p%40ss%2Fw%3Ard@[::1]:5432/my%20team': {
      ...{ ...plain, ...here },
      host: '::1',
      password: 'p@ss/w:rd',
      database: 'my team',
    },
    'postgres://ada:a%20secret@db.example/team?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/a.crt&sslkey=/a.key':
      {
        ...plain,
        sslMode: 'verify-full',
        rootCertificate: '/ca.pem',
        certificate: '/a.crt',
        key: '/a.key',
      },
    "host=db.example user=ada password='a secret' dbname=team": plain,
    'host = db.example port = 6432\nuser = ada  password = a\\ secret dbname = team sslmode = require': {
      ...plain,
      port: 6432,
      sslMode: 'require',
    },
    "user=ada dbname=team password='it\\'s \\\\'": { ...plain, ...here, password: "it's \\" },
    'host=::1 user=ada dbname=team': { ...plain, ...here, host: '::1', password: undefined },
  };
  for (const [text, connection] of Object.entries(forms))
    assert.deepEqual(readConnectionString(text), connection, text);
});

test('rejects an invalid connection string in one sentence that doesn’t quote it', () => {
  const wrong = [
    '',
    'db.example',
    'mysql://ada:secret@db.example/team',
    'postgres://db.example/team',
    'postgres://ada:secret@db.example/',
    'postgres://ada:secret@db.example:99999/team',
    'postgres://db.example/team?user=ada&password=secret&port=many',
    'postgres://ada:%zzsecret@db.example/team',
    'host=db.example user=ada',
    "host=db.example user=ada password='secret dbname=team",
    'host=db.example user=ada dbname=team secret',
  ];
  for (const text of wrong)
    assert.throws(
      () => readConnectionString(text),
      ({ message }: Error) =>
        message.startsWith('This isn’t a PostgreSQL connection string.') && !message.includes('secret'),
      text,
    );
  assert.throws(
    () => readConnectionString('postgres://ada@db.example/team?sslmode=secret'),
    /sslmode in the connection string isn’t valid\. Use one of these values: disable, allow/,
  );
});

test('creates a string for another member without the user’s own name and password', () => {
  for (const text of [
    'postgres://ada:secret@db.example:6432/team?sslmode=require&sslcert=/a.crt&sslkey=/a.key',
    'postgres://db.example:6432/team?user=ada&password=secret&sslmode=require',
    "host=db.example port=6432 user=ada password=secret dbname=team sslmode=require sslkey='/a b.key'",
    'postgres://ada:secret@db.example:6432/team?sslmode=require&sslpassword=secret&passfile=/home/ada/.pgpass#secret',
    'postgres://ada:secret@db.example:6432/team?sslmode=require&Password=secret&USER=ada&options=-c%20a%3Dsecret',
    'host=db.example port=6432 user=ada password=secret dbname=team sslmode=require sslpassword=secret service=ada',
    'postgres:///team?host=db.example&port=6432&user=ada&password=secret&sslmode=require',
  ]) {
    const other = connectionStringFor(text, 'b@n', 'p:w/');
    const read = readConnectionString(other);
    assert.deepEqual(read, { ...plain, port: 6432, sslMode: 'require', user: 'b@n', password: 'p:w/' }, text);
    assert.ok(!/secret|ada|\.key/.test(other), text);
    assert.equal(describeConnection(read), 'b@n@db.example/team');
  }
});

test('requires TLS by default, except on this machine', () => {
  const modes: [string, string][] = [
    ['db.example', 'require'],
    ['localhost.example', 'require'],
    ['127.0.0.1.example', 'require'],
    ['10.0.0.1', 'require'],
    ['localhost', 'prefer'],
    ['127.1.2.3', 'prefer'],
    ['%2Fvar%2Frun%2Fpostgresql', 'prefer'],
  ];
  for (const [host, mode] of modes)
    assert.equal(readConnectionString(`postgres://ada@${host}/team`).sslMode, mode, host);
  assert.equal(readConnectionString('postgres://ada@db.example/team?sslmode=prefer').sslMode, 'prefer');
});
