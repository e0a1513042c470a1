// Verifies deliveries of webhooks (Standard Webhooks). Go, without modules.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const maxAgeSeconds = 300

// isValid reports whether the delivery comes from the service and is recent. The body is as it arrived, and now in
// seconds: time.Now().Unix().
func isValid(secret, id, timestamp, signatures string, body []byte, now int64) bool {
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now-at > maxAgeSeconds || at-now > maxAgeSeconds {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// Two signatures while secrets overlap.
	for _, signature := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

// Run by itself, it reads lines of vector.tsv and prints its verdicts.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\t")
		now, _ := strconv.ParseInt(part[6], 10, 64)
		if isValid(part[2], part[3], part[4], part[5], []byte(part[7]), now) {
			fmt.Println("valid")
		} else {
			fmt.Println("rejected")
		}
	}
}
