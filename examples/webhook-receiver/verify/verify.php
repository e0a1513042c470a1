<?php
// Verifies deliveries of webhooks (Standard Webhooks). PHP 8, without packages.

const MAX_AGE_SECONDS = 300;

/** Whether the delivery comes from the service and is recent. The body is as it arrived: file_get_contents('php://input'). */
function is_valid(string $secret, string $id, string $timestamp, string $signatures, string $body, int $now): bool
{
    if (!ctype_digit($timestamp) || abs($now - (int) $timestamp) > MAX_AGE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Two signatures while secrets overlap.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// Run by itself, it reads lines of vector.tsv and prints its verdicts.
if (realpath($argv[0] ?? '') === __FILE__) {
    while (($line = fgets(STDIN)) !== false) {
        [, , $secret, $id, $timestamp, $signatures, $now, $body] = explode("\t", rtrim($line, "\n"));
        echo is_valid($secret, $id, $timestamp, $signatures, $body, (int) $now) ? "valid\n" : "rejected\n";
    }
}
