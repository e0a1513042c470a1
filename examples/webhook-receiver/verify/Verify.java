import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies deliveries of webhooks (Standard Webhooks). Java 17, without libraries. */
public final class Verify {
  private static final long MAX_AGE_SECONDS = 300;

  /** Whether the delivery comes from the service and is recent. The body is as it arrived, and now in seconds. */
  static boolean isValid(String secret, String id, String timestamp, String signatures, byte[] body, long now)
      throws GeneralSecurityException {
    if (!timestamp.matches("[0-9]{1,15}")) return false;
    if (Math.abs(now - Long.parseLong(timestamp)) > MAX_AGE_SECONDS) return false;
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    // Two signatures while secrets overlap. MessageDigest.isEqual takes the same time for all of equal length.
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return true;
    }
    return false;
  }

  /** Run by itself, it reads lines of vector.tsv and prints its verdicts. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] part = line.split("\t", -1);
      byte[] body = part[7].getBytes(StandardCharsets.UTF_8);
      boolean valid = isValid(part[2], part[3], part[4], part[5], body, Long.parseLong(part[6]));
      System.out.println(valid ? "valid" : "rejected");
    }
  }
}
